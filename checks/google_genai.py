"""Google's SDK against the simulated Interactions API: `google_genai.py URL VERSION`.

Every part runs on both versions of the API. The clock of the simulator stands still unless a part moves it, so nothing here
waits for anything but the SDK itself. What the SDK does not know it keeps as UNKNOWN; nothing the simulator says may end there,
unless a part wants it to.
"""

import contextlib
import importlib.metadata
import json
import sys
import urllib.request

from google import genai
from google.genai import types

URL, SDK = sys.argv[1:]
AGENT = "deep-research-preview-04-2026"
TALKATIVE = {"type": "deep-research", "thinking_summaries": "auto"}
MINUTES_20 = 1200


def connect(version, **retries):
    # The waits of the SDK are its own affair; here they are short.
    retry = types.HttpRetryOptions(initial_delay=0.01, **retries)
    options = types.HttpOptions(base_url=URL, api_version=version, retry_options=retry)
    return genai.Client(api_key="not-a-key", http_options=options)


def control(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(URL + "/_sim/" + path, data=data, method=method)) as answer:
        return json.load(answer)


def plan(**fields):
    control("POST", "plan", {"speed": 0, **fields})


def advance(seconds):
    control("POST", f"advance?seconds={seconds}")


def fault(on, what, times=1):
    return {"on": on, "fault": what, "times": times}


@contextlib.contextmanager
def refused(status, part):
    """The block ends with an error of the SDK that has this status and says this."""
    try:
        yield
    except Exception as problem:  # The classes of the errors are private to the SDK.
        assert getattr(problem, "status_code", None) == status, repr(problem)
        assert part in str(problem), problem
    else:
        raise AssertionError(f"no error, {status} expected")


@contextlib.contextmanager
def lost():
    """The block ends with an error of the SDK about its connection."""
    try:
        yield
    except Exception as problem:
        assert type(problem).__name__ == "APIConnectionError", repr(problem)
    else:
        raise AssertionError("no error, a lost connection expected")


def start(client, text="How deep is the sea?", **fields):
    return client.interactions.create(
        **{"agent": AGENT, "background": True, "input": text, "agent_config": TALKATIVE, **fields}
    )


def known(thing):
    """Nothing in it is unknown to the SDK."""
    assert "UNKNOWN" not in repr(thing), thing
    return thing


def poll(client, version):
    plan(run={"queued_seconds": 30, "spread": 3, "usage_delay_seconds": 5})
    begun = start(client)
    assert begun.id.startswith("v1_") and len(begun.id) == 70, begun
    assert (begun.status, begun.agent, begun.steps) == ("queued", AGENT, []), begun
    advance(30 + MINUTES_20 / 2)
    running = known(client.interactions.get(begun.id))
    assert running.status == "in_progress" and running.usage is None, running
    kinds = [step.type for step in running.steps]
    assert kinds[0] == "user_input" and "google_search_call" in kinds and "model_output" not in kinds, kinds
    advance(MINUTES_20 / 2)
    assert client.interactions.get(begun.id).usage is None
    advance(5)
    done = known(client.interactions.get(begun.id, include_input=True))
    assert (done.status, done.input) == ("completed", "How deep is the sea?"), done
    outputs = [step.content[0] for step in done.steps if step.type == "model_output"]
    report = "".join(output.text for output in outputs)
    assert len(outputs) == 3 and "🌊" in report and "**Sources:**" in report, outputs
    # The SDK's own text is the last part only.
    assert done.output_text == outputs[-1].text != report
    cited = [
        output.text.encode()[note.start_index : note.end_index].decode()
        for output in outputs
        for note in output.annotations or []
    ]
    assert "".join(cited).startswith("The Challenger Deep is 10\u202f935 m deep"), cited
    usage = done.usage
    assert (usage.total_tokens, usage.total_cached_tokens, usage.total_thought_tokens) == (321500, 150000, 51000), usage
    assert usage.grounding_tool_count[0].count == 83, usage
    requests = control("GET", "requests")
    assert all(request["path"].startswith(f"/{version}/interactions") for request in requests[-4:]), requests[-4:]
    assert requests[-1]["key"] == "not-a-key"


def stream(client, version):
    # The cut comes before the report.
    plan(faults=[fault("stream", {"cut_stream": {"after_frames": 5}}), fault("stream", {"cut_stream503": {"after_frames": 3}})])
    begun = start(client)
    advance(MINUTES_20)
    events, last, ends = [], None, []
    for attempt in range(3):
        resume = {"last_event_id": last} if last else {}
        try:
            for event in client.interactions.get(begun.id, stream=True, **resume):
                events.append(known(event))
                last = getattr(event, "event_id", None) or last
            ends.append("quiet")
        except Exception as problem:
            ends.append(type(problem).__name__)
    # A cut in the middle of a chunk is an error to the SDK; an array that is no event ends the stream in silence.
    assert ends == ["APIConnectionError", "quiet", "quiet"], ends
    kinds = [event.event_type for event in events]
    assert kinds[:2] == ["interaction.created", "interaction.status_update"], kinds
    assert kinds[-1] == "interaction.completed" and events[-1].interaction.status == "completed", kinds
    # After the first cut nothing was lost; after the second, what follows the last event with an id came again.
    starts = [event.index for event in events if event.event_type == "step.start"]
    assert starts == sorted(starts) and set(starts) == set(range(17)), starts
    text = "".join(event.delta.text for event in events if event.event_type == "step.delta" and event.delta.type == "text")
    assert text == client.interactions.get(begun.id).output_text
    summaries = [event for event in events if event.event_type == "step.delta" and event.delta.type == "thought_summary"]
    assert len(summaries) == 2 and "**Thought 1**" in summaries[0].delta.content.text, summaries


def stream_from_create(client, version):
    # The run must go on while the SDK waits for it.
    control("POST", "plan", {"speed": 10000})
    events = list(map(known, start(client, stream=True)))
    kinds = {event.event_type for event in events}
    assert kinds == {
        "interaction.created", "interaction.status_update", "step.start", "step.delta", "step.stop", "interaction.completed",
    }, kinds
    assert getattr(events[-1].interaction, "usage", None) is None
    assert client.interactions.get(events[0].interaction.id).status == "completed"


def cancel_and_delete(client, version):
    plan()
    begun = start(client)
    advance(MINUTES_20 / 4)
    stopped = known(client.interactions.cancel(begun.id))
    assert (stopped.status, stopped.id) == ("cancelled", begun.id), stopped
    with refused(400, "Cannot cancel interaction in status cancelled."):
        client.interactions.cancel(begun.id)
    billed = control("GET", "invoice")["runs"][-1]
    assert billed["cancelled"] and billed["usage"]["input"] == 62750, billed
    assert client.interactions.get(begun.id).usage.total_input_tokens == 62750
    client.interactions.delete(begun.id)
    with refused(404, "Requested entity was not found."):
        client.interactions.get(begun.id)
    plan(faults=[fault("delete", "delete501", None)])
    begun = start(client)
    # A client that nobody holds closes itself.
    impatient = connect(version, attempts=1)
    with refused(501, "not_implemented"):
        impatient.interactions.delete(begun.id)


def follow_up(client, version):
    plan(models=[{"contains": "shorter", "text": "Deep – 10 935 m."}])
    first = start(client)
    with refused(400, "The previous interaction is still in progress."):
        start(client, "More!", previous_interaction_id=first.id)
    advance(MINUTES_20)
    second = start(client, "More!", previous_interaction_id=first.id)
    assert second.previous_interaction_id == first.id, second
    answer = known(client.interactions.create(
        model="gemini-3.8-flash", input="Say it shorter", previous_interaction_id=first.id,
        tools=[{"type": "google_search"}, {"type": "url_context"}],
        response_format={"type": "text", "mime_type": "application/json", "schema": {"type": "object"}},
        generation_config={"max_output_tokens": 100, "thinking_level": "low"}))
    assert (answer.status, answer.output_text) == ("completed", "Deep – 10 935 m."), answer
    assert [step.type for step in answer.steps] == ["google_search_call", "google_search_result", "model_output"], answer
    billed = control("GET", "invoice")["runs"][-1]
    assert (billed["agent_or_model"], billed["previous"]) == ("gemini-3.8-flash", first.id), billed


def planning(client, version):
    plan()
    plans = {"type": "deep-research", "collaborative_planning": True}
    first = start(client, agent_config=plans)
    advance(MINUTES_20 / 10)
    shown = known(client.interactions.get(first.id))
    assert shown.status == "completed" and shown.output_text.startswith("1. "), shown
    refined = start(client, "Shorter.", agent_config=plans, previous_interaction_id=first.id)
    advance(MINUTES_20 / 10)
    begun = start(client, "Go.", agent_config={**plans, "collaborative_planning": False}, previous_interaction_id=refined.id)
    advance(MINUTES_20)
    assert "Challenger Deep" in client.interactions.get(begun.id).output_text


def every_field(client, version):
    plan()
    previous = start(client)
    advance(MINUTES_20)
    begun = known(start(
        client, [{"type": "text", "text": "x"}, {"type": "document", "uri": "https://example.com/a.pdf", "mime_type": "application/pdf"}],
        agent_config={**TALKATIVE, "collaborative_planning": False, "visualization": "off"}, labels={"k": "v"},
        previous_interaction_id=previous.id, service_tier="standard", store=True,
        tools=[{"type": "google_search"}, {"type": "url_context"}, {"type": "code_execution"},
               {"type": "mcp_server", "name": "n", "url": "https://mcp.example.com/mcp"}],
        webhook_config={"uris": ["https://example.com/hook"]}))
    shown = known(client.interactions.get(begun.id))
    assert [content.type for content in shown.steps[0].content] == ["text", "document"], shown
    assert shown.labels == {"k": "v"} and len(shown.tools) == 4, shown


def ends(client, version):
    for end, status in (
        ("failed_with_errors", "failed"), ("failed_in_step", "failed"), ("incomplete", "incomplete"),
        ("budget_exceeded", "budget_exceeded"), ("requires_action", "requires_action"),
        ("requires_continuation", "requires_continuation"), ("zombie", "in_progress"), ({"unknown": "paused"}, "paused"),
    ):
        plan(run={"end": end})
        begun = start(client)
        advance(MINUTES_20)
        shown = client.interactions.get(begun.id)
        assert str(shown.status) == status or status in repr(shown.status), shown.status
        if end == "failed_with_errors":
            assert shown.errors[0].message == "The research agent crashed.", shown
        if end == "failed_in_step":
            assert shown.steps[-1].error.code == 13, shown
    plan(run={"shape": "outputs", "sync": True})
    assert start(client).output_text == "", "this SDK does not read the old shape"


def errors(client, version):
    plan()
    with refused(400, "refers to an agent, but was provided in the 'model' field"):
        client.interactions.create(model=AGENT, input="x")
    with refused(400, "background=true"):
        start(client, background=False)
    with refused(400, "store=true is required"):
        start(client, store=False)
    with refused(400, "system_instruction is not supported"):
        start(client, system_instruction="Be short.")
    with refused(404, "deep-research-pro-preview-12-2025"):
        start(client, agent="deep-research-pro-preview-12-2025")
    with refused(404, "v1_unknown"):
        start(client, previous_interaction_id="v1_unknown")
    plan(keys=["another"])
    with refused(400, "API_KEY_INVALID"):
        start(client)


def retries(client, version):
    """What the SDK does by itself. The last create is why hadal does not do the same."""
    before = control("GET", "invoice")["creates"]
    plan(faults=[fault("create", {"rate_limited": {"retry_after": 0}}, 2)])
    assert start(client).status == "in_progress"
    assert control("GET", "invoice")["creates"] == before + 1
    plan(faults=[fault("create", "lost_reply")])
    with lost():
        start(client)
    assert control("GET", "invoice")["creates"] == before + 2
    plan(faults=[fault("create", "create500_but_created")])
    assert start(client).status == "in_progress"
    assert control("GET", "invoice")["creates"] == before + 4, "a run that nobody has the id of was started and billed"
    plan(faults=[fault("get", {"status": {"status": 503, "array": True}})])
    assert client.interactions.get(start(client).id).status == "in_progress"


PARTS = [poll, stream, stream_from_create, cancel_and_delete, follow_up, planning, every_field, ends, errors, retries]

assert importlib.metadata.version("google-genai") == SDK
for version in ("v1", "v1beta"):
    client = connect(version)
    for part in PARTS:
        part(client, version)
    print(f"ok: google-genai {SDK} on /{version}: " + ", ".join(part.__name__ for part in PARTS))

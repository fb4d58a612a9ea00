"""Runs every tool of hadal with the official Python client, over stdio or HTTP: `mcp_clients.py stdio PROGRAM NOTES` or `http URL NOTES`.

The client checks each reply against the output schema of its tool; what is called, and what becomes of it, stands in mcp_clients.json.
"""
import asyncio
import json
import os
import sys
from pathlib import Path

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client


def transport(kind, where):
    if kind == "http":
        return streamable_http_client(where)
    return stdio_client(StdioServerParameters(command=where, args=["serve"], env=dict(os.environ)))


def filled(value, names):
    if isinstance(value, dict):
        return {key: filled(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


async def main(kind, where, notes):
    script = json.loads(Path(__file__).with_suffix(".json").read_text())
    async with transport(kind, where) as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        listed = {tool.name for tool in (await session.list_tools()).tools}
        names, called, calls = {"$notes": notes}, set(), 0

        async def call(tool, arguments, fails=None, state=""):
            nonlocal calls
            calls += 1
            called.add(tool)
            result = await session.call_tool(tool, filled(arguments, names))
            reply = getattr(result, "structured_content", None) or result.structuredContent
            code = (reply.get("error") or {}).get("code")
            assert code == fails, f"{tool} {state}: {code} instead of {fails}: {reply}"
            return reply

        for step in script["steps"]:
            reply = await call(step["tool"], step["arguments"], step.get("fails"))
            if "status" in step:
                assert reply["status"] == step["status"], f"{step}: {reply}"
            if "as" in step:
                names["$" + step["as"]] = reply["task_id"]
        for state, codes in script["states"].items():
            for tool, fails in codes.items():
                names["$"] = names["$" + state.split()[0]]
                await call(tool, script["tools"][tool], fails, state)
        assert listed == called, f"not called: {listed - called}"
        assert len((await session.list_prompts()).prompts) == 3
        print(f"python {kind}: {len(listed)} tools, {calls} calls", file=sys.stderr)


asyncio.run(main(*sys.argv[1:]))

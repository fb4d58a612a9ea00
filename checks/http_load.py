"""Loads a `hadal serve --http` and prints what it took: see checks/http-load."""

import asyncio
import json
import sys
import time

PORT, PID = int(sys.argv[1]), sys.argv[2]
CLIENTS, POLLS = 200, 50
# Below the rate that one principal may keep up.
PAUSE = 0.5
STREAMS, CONNECTIONS = 1_000, 10_000
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "load", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def memory():
    """Resident megabytes of the server."""
    with open(f"/proc/{PID}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def request(method, headers, body=""):
    rows = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return (
        f"{method} /mcp HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\n{rows}Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


def call(tool, arguments):
    params = {"name": tool, "arguments": arguments, "_meta": META}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool}
    return request("POST", headers, body)


async def head(reader):
    lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
    return int(lines[0].split()[1]), fields


async def answer(reader):
    """The status and the message of an answer, which is JSON or a stream of events."""
    status, fields = await head(reader)
    if "content-length" in fields:
        body = await reader.readexactly(int(fields["content-length"]))
    else:
        body = b""
        while size := int(await reader.readline(), 16):
            body += await reader.readexactly(size)
            await reader.readexactly(2)
        await reader.readexactly(2)
    events = [line[5:] for line in body.decode().splitlines() if line.startswith("data:") and len(line) > 6]
    return status, json.loads(events[-1] if events else body)


async def asked(reader, writer, tool, arguments):
    begun = time.perf_counter()
    writer.write(call(tool, arguments))
    status, message = await answer(reader)
    took = time.perf_counter() - begun
    content = message.get("result", {}).get("structuredContent", {})
    if status != 200 or not content.get("success"):
        raise SystemExit(f"{tool}: {status} {json.dumps(message)[:300]}")
    return content, took


async def client(number, polls, starts):
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    await asyncio.sleep(PAUSE * number / CLIENTS)
    arguments = {"query": f"where does the hadal zone number {number} begin?", "engine": "extractive"}
    started, took = await asked(reader, writer, "search", arguments)
    starts.append(took)
    for _ in range(POLLS):
        polls.append((await asked(reader, writer, "check_research_status", {"task_id": started["task_id"]}))[1])
        await asyncio.sleep(PAUSE)
    writer.close()


def at(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1_000


async def stream():
    """A session of the older revisions with an event stream that stays open."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    info = {"name": "load", "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
    writer.write(request("POST", {}, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})))
    status, fields = await head(reader)
    writer.close()
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    writer.write(request("GET", {"Mcp-Session-Id": fields["mcp-session-id"]}))
    opened, _ = await head(reader)
    if (status, opened) != (200, 200):
        raise SystemExit(f"a stream: {status}, {opened}")
    return writer


async def main():
    # First, while the server has nothing else in its memory.
    streams = []
    for _ in range(STREAMS // 50):
        streams += await asyncio.gather(*(stream() for _ in range(50)))
    print(f"| {len(streams)} idle event streams: memory | 1 | {memory():.0f} MB | | ≤ 100 MB |")
    for writer in streams:
        writer.close()
    polls, starts = [], []
    before = memory()
    half = asyncio.create_task(asyncio.sleep(PAUSE * POLLS / 2))
    clients = asyncio.gather(*(client(number, polls, starts) for number in range(CLIENTS)))
    await half
    middle = memory()
    await clients
    print(f"| {CLIENTS} clients: a start, with its answer | {len(starts)} | {at(starts, 0.5):.1f} ms | {at(starts, 0.99):.1f} ms | |")
    print(f"| {CLIENTS} clients: a poll | {len(polls)} | {at(polls, 0.5):.1f} ms | {at(polls, 0.99):.1f} ms | p99 ≤ 50 ms |")
    print(f"| {CLIENTS} clients: memory before, in the middle, after | 3 | {before:.0f}, {middle:.0f}, {memory():.0f} MB | | flat |")
    idle = []
    for _ in range(CONNECTIONS // 100):
        opening = (asyncio.open_connection("127.0.0.1", PORT) for _ in range(100))
        idle += [pair for pair in await asyncio.gather(*opening, return_exceptions=True) if isinstance(pair, tuple)]
    begun = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    await asked(reader, writer, "list_research", {})
    took = time.perf_counter() - begun
    print(f"| {len(idle)} silent connections: a call behind them | 1 | {took * 1_000:.0f} ms, {memory():.0f} MB | | answered |")


asyncio.run(main())

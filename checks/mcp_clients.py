"""Runs every tool of hadal with the official Python client, over stdio or HTTP: `mcp_clients.py stdio PROGRAM NOTES` or `http URL NOTES`.

The client checks each reply against the output schema of its tool.
"""
import asyncio
import sys

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client


def transport(kind, where):
    if kind == "http":
        return streamable_http_client(where)
    import os
    return stdio_client(StdioServerParameters(command=where, args=["serve"], env=dict(os.environ)))


async def main(kind, where, notes):
    async with transport(kind, where) as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        listed = [tool.name for tool in (await session.list_tools()).tools]
        called = set()

        async def call(tool, fails=None, **arguments):
            called.add(tool)
            result = await session.call_tool(tool, arguments)
            reply = getattr(result, "structured_content", None) or result.structuredContent
            code = (reply.get("error") or {}).get("code")
            assert code == fails, f"{tool}: {code} instead of {fails}: {reply}"
            return reply

        question = "where does the hadal zone begin?"
        local = {"query": question, "engine": "extractive"}
        done = await call("deep_research", library=[notes], **local)
        assert done["status"] == "completed" and "6,000" in done["result"], done
        task = {"task_id": done["task_id"]}
        await call("search", **local)
        await call("deep_search", **local)
        await call("start_deep_research", fails="NOT_AUTHENTICATED", query=question)
        await call("estimate_research_cost", query=question)
        await call("check_claims", text="The sea is deep [1].\n\n[1]: https://sea.invalid/page")
        await call("check_research_status", **task)
        await call("get_research_results", **task)
        await call("save_research_to_markdown", **task)
        await call("list_research")
        await call("steer_research", fails="RESEARCH_ALREADY_COMPLETED", message="stop", **task)
        await call("cancel_research", fails="RESEARCH_ALREADY_COMPLETED", **task)
        await call("delete_research", task_ids=[done["task_id"]])
        await call("get_research_results", fails="TASK_NOT_FOUND", **task)
        assert set(listed) == called, f"not called: {set(listed) - called}"
        assert len((await session.list_prompts()).prompts) == 3
        print(f"{kind}: {len(listed)} tools", file=sys.stderr)


asyncio.run(main(*sys.argv[1:]))

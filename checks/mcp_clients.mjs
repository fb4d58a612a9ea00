// Runs every tool of hadal with an official TypeScript client, over stdio or HTTP: `node mcp_clients.mjs PACKAGE stdio PROGRAM NOTES` or `… http URL
// NOTES`, in a folder in which the package is installed. `sdk` speaks the revisions with sessions, `client` the newest one.
//
// The client checks each reply against the output schema of its tool; what is called, and what becomes of it, stands in mcp_clients.json.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [name, kind, where, notes] = process.argv.slice(2);
const installed = createRequire(`${process.cwd()}/`);
const load = (path) => installed(`@modelcontextprotocol/${name}${path}`);
const modules = {
  sdk: () => ({ ...load('/client/index.js'), ...load('/client/stdio.js'), ...load('/client/streamableHttp.js') }),
  client: () => ({ ...load(''), ...load('/stdio') }),
}[name]();
const { Client, StdioClientTransport, StreamableHTTPClientTransport } = modules;

const script = JSON.parse(readFileSync(new URL('mcp_clients.json', import.meta.url), 'utf8'));
const newest = name === 'client' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {};
const client = new Client({ name: 'hadal-check', version: '1' }, newest);
const transport =
  kind === 'http' ? new StreamableHTTPClientTransport(new URL(where)) : new StdioClientTransport({ command: where, args: ['serve'], env: process.env });
await client.connect(transport);

// Whoever lists the tools first knows their schemas.
const listed = new Set((await client.listTools()).tools.map((tool) => tool.name));
const names = new Map([['$notes', notes]]);
const called = new Set();
let calls = 0;

const filled = (value) => {
  if (Array.isArray(value)) return value.map(filled);
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner)]));
  return names.get(value) ?? value;
};
const call = async (tool, given, fails, state = '') => {
  calls += 1;
  called.add(tool);
  const reply = (await client.callTool({ name: tool, arguments: filled(given) })).structuredContent;
  assert.equal(reply.error?.code, fails ?? undefined, `${tool} ${state}: ${JSON.stringify(reply)}`);
  return reply;
};

for (const step of script.steps) {
  const reply = await call(step.tool, step.arguments, step.fails);
  if (step.status) assert.equal(reply.status, step.status, JSON.stringify(reply));
  if (step.as) names.set(`$${step.as}`, reply.task_id);
}
for (const [state, codes] of Object.entries(script.states)) {
  for (const [tool, fails] of Object.entries(codes)) {
    names.set('$', names.get(`$${state.split(' ')[0]}`));
    await call(tool, script.tools[tool], fails, state);
  }
}
assert.deepEqual([...called].sort(), [...listed].sort(), 'every tool is called');
assert.equal((await client.listPrompts()).prompts.length, 3);
await client.close();
console.error(`${name} ${kind}: ${listed.size} tools, ${calls} calls`);

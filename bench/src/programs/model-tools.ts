import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SystemClock } from '@gemini-mcp/adapters-node';
import { LoopbackMcpServer } from '@gemini-mcp/agent-tools';
import type { ModelTool, ToolProvider, ToolResult } from '@gemini-mcp/core';

// The endpoint of model tools in a process of its own, with one tool that does nothing and one that says what the process holds. Prints a
// line with its address and its token, and lives until it is killed.
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const tools: readonly ModelTool[] = ['do_nothing', 'measure'].map((name) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  changes: name === 'do_nothing',
}));
const source: ToolProvider = {
  list: async () => tools,
  call: async ({ name }) => (name === 'measure' ? measure() : { text: 'Done.', data: {}, isDone: true }),
};
const clock = new SystemClock();
const endpoint = new LoopbackMcpServer({ clock, log: () => undefined });
const request = { sources: [source], deadlineAtMs: clock.now() + 3_600_000, onStep: () => undefined };
const { url, token } = await endpoint.open(request, new AbortController().signal);
process.stdout.write(`${JSON.stringify({ url, token })}\n`);
// Nothing else keeps the process alive.
process.stdin.resume();

function measure(): ToolResult {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const descriptors = readdirSync('/proc/self/fd').length;
  return { text: 'Measured.', data: { bytes: heapUsed + external, descriptors }, isDone: true };
}

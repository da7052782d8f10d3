// An MCP server on standard streams that ignores signals and the end of its input, and has started a process that does the same, has left
// its group and holds no pipes of it.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

spawn('sh', ['-c', `trap '' TERM HUP INT; while :; do sleep 1; done`], { stdio: 'ignore', detached: true }).unref();
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
  process.on(signal, () => undefined);
}
setInterval(() => undefined, 1_000);

const results = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'stubborn', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'hang', inputSchema: { type: 'object' } }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = results[method]?.();
  // It never answers a call.
  if (id !== undefined && result !== undefined) {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  }
});

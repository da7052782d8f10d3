// An MCP server over stdio that reports its process id, and adds a tool on request. With `stubborn`, it and its child
// process ignore signals and the end of input.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const isStubborn = process.argv.includes('stubborn');
const names = ['tell', 'grow', 'wait'];
const pids = [process.pid];

if (isStubborn) {
  const lasting = "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setInterval(() => {}, 1000);";
  pids.push(spawn(process.execPath, ['-e', lasting], { stdio: 'ignore' }).pid);
  process.on('SIGTERM', () => undefined);
  process.on('SIGINT', () => undefined);
  setInterval(() => undefined, 1_000);
}

const schema = { type: 'object', properties: { word: { type: 'string' } } };

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const results = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'growing', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: names.map((name) => ({ name, inputSchema: schema })) }),
  'tools/call': ({ name, arguments: { word = '' } = {} }) => {
    if (name === 'grow') {
      names.push('grown');
      send({ method: 'notifications/tools/list_changed' });
    }
    return { content: [{ type: 'text', text: `${pids.join(' ')} heard ${word}` }] };
  },
};

/** Answers two calls at a time, the later one first. */
const held = [];

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || params?.name === 'wait') {
    return;
  }
  const answer = { id, result: results[method]?.(params) };
  if (params?.arguments?.pairs !== true) {
    send(answer);
    return;
  }
  held.unshift(answer);
  if (held.length === 2) {
    held.splice(0).forEach(send);
  }
});

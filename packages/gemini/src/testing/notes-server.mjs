// An MCP server on standard streams that keeps notes in a file, one a line, and never answers `wait`. `DELAY_MS` holds back
// every other answer.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file] = process.argv.slice(2);
const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const tools = [
  { name: 'add', description: 'Adds a note.', inputSchema: text },
  { name: 'tell', description: 'Returns the arguments and variables of the server.', inputSchema: { type: 'object' } },
  { name: 'wait', description: 'Never answers.', inputSchema: { type: 'object' } },
];

function call({ name, arguments: given }) {
  if (name === 'add') {
    appendFileSync(file, `${given.text}\n`);
    return { content: [{ type: 'text', text: `Noted: ${given.text}` }] };
  }
  const { TOKEN, GEMINI_API_KEY, GEMINI_MCP_STARTED_BY_HUB } = process.env;
  const told = { TOKEN, GEMINI_API_KEY, GEMINI_MCP_STARTED_BY_HUB, directory: process.cwd() };
  return { content: [{ type: 'text', text: JSON.stringify(told) }] };
}

const results = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => (params.name === 'wait' ? null : call(params)),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'notifications/cancelled') {
    appendFileSync(file, 'cancelled\n');
  }
  const result = results[method]?.(params) ?? null;
  if (id !== undefined && result !== null) {
    const answer = `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`;
    setTimeout(() => process.stdout.write(answer), Number(process.env.DELAY_MS ?? 0));
  }
});

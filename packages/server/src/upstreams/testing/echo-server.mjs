// An MCP server on standard streams that returns its own arguments and variables.
import { createInterface } from 'node:readline';

const shown = ['KEY', 'OTHER', 'TOKEN', 'WHERE', 'GEMINI_API_KEY', 'GEMINI_MCP_STARTED_BY_HUB'];

const results = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'echo', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'tell', inputSchema: { type: 'object' } }] }),
  'tools/call': () => {
    const environment = Object.fromEntries(shown.map((name) => [name, process.env[name] ?? null]));
    return { content: [], structuredContent: { ...environment, directory: process.cwd() } };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = results[method]?.();
  if (id !== undefined) {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  }
});

import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

// A server of the SDK's second line, put together as its examples have it: no limits, no checks, no log. Each call of a tool is
// answered with the same text, which says that it failed. Serves on a free port until it is killed.
const [answer = ''] = process.argv.slice(2);

const handler = createMcpHandler(() => {
  const mcp = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  mcp.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text: answer }], isError: true }));
  return mcp;
});
const answerRequest = toNodeHandler(handler);
// Untyped, because the SDK's types do not fit Node's where optional properties are taken exactly.
const server = createServer((request, response) => void Reflect.apply(answerRequest, null, [request, response]));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.stderr.write(`listening on http://127.0.0.1:${port}/mcp\n`);
});

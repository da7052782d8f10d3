import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';

// The SDK's own server for Streamable HTTP, put together as its examples have it: no limits, no checks, no log. Each call of a
// tool is answered with the same text, which says that it failed. Serves on a free port until it is killed.
const [mode = 'stateless', answer = ''] = process.argv.slice(2);
const sessions = new Map<string, StreamableHTTPServerTransport>();
const server = createServer((request, response) => {
  void (mode === 'stateful' ? answerInSession(request, response) : answerAlone(request, response));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.stderr.write(`listening on http://127.0.0.1:${port}/mcp\n`);
});

function createMcpServer(): Server {
  const mcp = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  mcp.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: 'text', text: answer }], isError: true }));
  return mcp;
}

async function answerAlone(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const mcp = createMcpServer();
  const transport = new StreamableHTTPServerTransport({});
  response.on('close', () => {
    void transport.close();
    void mcp.close();
  });
  await connect(mcp, transport);
  await transport.handleRequest(request, response);
}

async function answerInSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const known = sessions.get(String(request.headers['mcp-session-id']));
  if (known !== undefined) {
    return known.handleRequest(request, response);
  }
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
  });
  await connect(createMcpServer(), transport);
  await transport.handleRequest(request, response);
}

/** Untyped, because the SDK's transport does not fit the SDK's interface where optional properties are taken exactly. */
function connect(mcp: Server, transport: StreamableHTTPServerTransport): Promise<void> {
  return Reflect.apply(mcp.connect, mcp, [transport]);
}

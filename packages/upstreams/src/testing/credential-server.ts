import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly arguments?: Readonly<Record<string, unknown>> };
};

/** An MCP server over HTTP whose answers name the credential of the request. */
export class CredentialServer {
  /** The number of tool calls received. */
  calls = 0;
  readonly #server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const message: Message = body === '' ? {} : JSON.parse(body);
      if (message.id === undefined) {
        response.writeHead(request.method === 'POST' ? 202 : 405).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          jsonrpc: '2.0',
          id: message.id,
          result: this.#answer(message, request.headers.authorization),
        }),
      );
    });
  });

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}/mcp` : '';
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer({ method, params }: Message, authorization: string | undefined): unknown {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'credentials', version: '1' },
        };
      case 'tools/list':
        return { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] };
      default:
        this.calls += 1;
        return { content: [{ type: 'text', text: JSON.stringify({ ...params?.arguments, authorization }) }] };
    }
  }
}

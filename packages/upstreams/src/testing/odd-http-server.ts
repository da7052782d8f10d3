import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export type HttpOddity =
  | 'none'
  | 'forgets sessions'
  | 'requires a login'
  | 'answers without end'
  | 'asks without end'
  | 'is an older one that asks without end'
  | 'streams an event without end'
  | 'comments without end'
  | 'breaks off'
  | 'breaks off with ids'
  | 'closes its channel at once'
  | 'answers another request'
  | 'answers a request with 202'
  | 'redirects elsewhere'
  | 'never answers'
  | 'waits'
  | 'is an older one'
  | 'is an older one that closes';

type Message = {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly arguments?: unknown; readonly requestId?: unknown };
};

/** An MCP server over HTTP that misbehaves in one way. */
export class OddHttpServer {
  /** Each request: its HTTP method, and the method of its message. */
  readonly heard: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  /** How many unfinished streams the client closed. */
  closedByClient = 0;
  /** The highest number of concurrent answers to its own requests; it rejects all of them. */
  openAnswers = 0;
  readonly #oddity: HttpOddity;
  readonly #server: Server;
  #sessions = 0;
  #calls = 0;
  #channel: ServerResponse | undefined;

  constructor(oddity: HttpOddity) {
    this.#oddity = oddity;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

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

  count(what: string): number {
    return this.heard.filter((line) => line === what).length;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.headers.push(request.headers);
    response.on('close', () => {
      this.closedByClient += response.writableFinished ? 0 : 1;
    });
    if (request.method !== 'POST') {
      this.heard.push(request.method ?? '');
      this.#openChannel(request, response);
      return;
    }
    let body = '';
    for await (const chunk of request) {
      body += String(chunk);
    }
    const message: Message = JSON.parse(body);
    this.heard.push(`POST ${message.method ?? 'answer'}`);
    if (message.method === undefined && this.#oddity.endsWith('asks without end')) {
      this.openAnswers += 1;
      return;
    }
    if (this.#oddity.startsWith('is an older one')) {
      this.#answerOlder(request, response, message);
    } else {
      this.#answerMessage(request, response, message);
    }
  }

  #openChannel(request: IncomingMessage, response: ServerResponse): void {
    const isOlder = this.#oddity.startsWith('is an older one');
    if (
      request.method !== 'GET' ||
      (!isOlder && !this.#oddity.startsWith('closes') && this.#oddity !== 'breaks off with ids')
    ) {
      response.writeHead(405).end();
      return;
    }
    beginStream(response);
    if (isOlder) {
      response.write('event: endpoint\ndata: /messages\n\n');
      this.#channel = response;
      return;
    }
    response.end('retry: 0\nid: 1\ndata:\n\n');
  }

  #answerOlder(request: IncomingMessage, response: ServerResponse, message: Message): void {
    if (request.url === '/mcp') {
      response.writeHead(405).end();
      return;
    }
    response.writeHead(202).end();
    if (this.#oddity === 'is an older one that asks without end' && message.method === 'tools/call') {
      this.#ask(this.#channel);
      return;
    }
    if (this.#oddity === 'is an older one that closes' && message.method === 'tools/call') {
      this.#channel?.end();
      return;
    }
    const answer = message.id === undefined ? null : this.#answerTo(message);
    if (answer !== null) {
      this.#channel?.write(`data: ${JSON.stringify(answer)}\n\n`);
    }
  }

  #answerMessage(request: IncomingMessage, response: ServerResponse, message: Message): void {
    const isCall = message.method === 'tools/call';
    if (this.#refuses(request, response, isCall)) {
      return;
    }
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const isForgotten = this.#oddity === 'forgets sessions' && isCall && this.#calls++ % 2 === 1;
    if (isForgotten) {
      response.writeHead(404).end('Session not found');
      return;
    }
    if (isCall && this.#actOddly(response, message)) {
      return;
    }
    if (message.method === 'initialize') {
      this.#sessions += 1;
    }
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': `s${this.#sessions}` });
    response.end(JSON.stringify(this.#answerTo(message)));
  }

  /** Whether it has answered, or never will. */
  #refuses(request: IncomingMessage, response: ServerResponse, isCall: boolean): boolean {
    switch (this.#oddity) {
      case 'never answers':
        return true;
      case 'requires a login':
        if (!isCall && request.headers.authorization !== undefined) {
          return false;
        }
        response.writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="https://x/.well-known"' }).end();
        return true;
      case 'redirects elsewhere':
        response.writeHead(307, { location: 'http://localhost:1/stolen' }).end();
        return true;
      default:
        return false;
    }
  }

  #actOddly(response: ServerResponse, message: Message): boolean {
    switch (this.#oddity) {
      case 'answers without end':
        response.writeHead(200, { 'content-type': 'application/json' });
        pour(response, 'x'.repeat(65_536));
        return true;
      case 'asks without end':
        beginStream(response);
        this.#ask(response);
        return true;
      case 'streams an event without end':
        beginStream(response);
        response.write('data: ');
        pour(response, 'x'.repeat(65_536));
        return true;
      case 'comments without end':
        beginStream(response);
        pour(response, ': again\n\n'.repeat(8_000));
        return true;
      case 'breaks off':
        beginStream(response);
        response.write(': begun\n\n', () => response.destroy());
        return true;
      case 'breaks off with ids':
        beginStream(response);
        response.end('retry: 0\nid: 7\ndata:\n\n');
        return true;
      case 'answers another request':
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 4_711, result: {} }));
        return true;
      case 'answers a request with 202':
        response.writeHead(202).end();
        return true;
      case 'waits':
        beginStream(response);
        response.write(`: ${message.id}\n\n`);
        return true;
      default:
        return false;
    }
  }

  /** Sends questions for the user, the model and the roots, as fast as the client reads. */
  #ask(response: ServerResponse | undefined, from = 0): void {
    if (response === undefined || response.destroyed) {
      return;
    }
    const requests = Array.from({ length: 100 }, (_, index) => {
      const method = ['elicitation/create', 'sampling/createMessage', 'roots/list', 'ping', 'x'][index % 5];
      const params = { message: 'Again?', requestedSchema: { type: 'object', properties: {} }, messages: [] };
      return `data: ${JSON.stringify({ jsonrpc: '2.0', id: `ask-${from + index}`, method, params })}\n\n`;
    });
    response.write(requests.join(''), () => setImmediate(() => this.#ask(response, from + requests.length)));
  }

  #answerTo({ id, method, params }: Message): unknown {
    if (method === 'initialize') {
      const serverInfo = { name: 'odd', version: '1' };
      return { jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } };
    }
    if (method === 'tools/list') {
      return { jsonrpc: '2.0', id, result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } };
    }
    const content = [{ type: 'text', text: `${JSON.stringify(params?.arguments)} in s${this.#sessions}` }];
    return { jsonrpc: '2.0', id, result: { content } };
  }
}

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** Writes endlessly, as fast as the client reads. */
function pour(response: ServerResponse, block: string): void {
  if (!response.destroyed) {
    response.write(block, () => setImmediate(() => pour(response, block)));
  }
}

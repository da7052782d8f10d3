import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

export type JsonRpcMessage = {
  readonly jsonrpc: '2.0';
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
};

export type HttpAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The unparsed body. */
  readonly text: string;
  /** From a JSON body or a stream of events, in order. */
  readonly messages: readonly JsonRpcMessage[];
};

export type ToolResult = {
  readonly text: string;
  readonly isError: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
};

export type McpHttpClientOptions = {
  readonly origin: string;
  /** Null for a client without a token. */
  readonly token: string | null;
};

export type SendOptions = {
  readonly method?: 'POST' | 'GET' | 'DELETE';
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called when the response begins. */
  readonly onBegin?: () => void;
  /** Called for each message of a stream as it arrives. */
  readonly onMessage?: (message: JsonRpcMessage) => void;
};

export type RequestOptions = Pick<SendOptions, 'signal' | 'onMessage'> & { readonly id?: number };

export type CallOptions = RequestOptions & { readonly progressToken?: string | number };

/** A client of MCP over Streamable HTTP with raw requests, so that nothing corrects or repeats them. */
export class McpHttpClient {
  readonly #options: McpHttpClientOptions;
  readonly #agent = new Agent({ keepAlive: true });
  #sessionId: string | null = null;
  #lastId = 0;

  constructor(options: McpHttpClientOptions) {
    this.#options = options;
  }

  /** Null before `initialize`, or if the server has no sessions. */
  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** Initialises the connection as a client does, in the server's mode. */
  async initialize(name = 'e2e', capabilities: object = {}): Promise<JsonRpcMessage> {
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name, version: '1.0.0' } };
    this.#sessionId = null;
    const { headers, messages } = await this.send({ body: { jsonrpc: '2.0', id: 0, method: 'initialize', params } });
    const { 'mcp-session-id': sessionId } = headers;
    this.#sessionId = typeof sessionId === 'string' ? sessionId : null;
    await this.send({ body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
    const [answer] = messages;
    if (answer === undefined) {
      throw new Error('No answer to initialize');
    }
    return answer;
  }

  /** Sends an MCP request. Resolves to its answer, rejects if the response contains no answer. */
  async request(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    options: RequestOptions = {},
  ): Promise<JsonRpcMessage> {
    this.#lastId += 1;
    const { id = this.#lastId, ...others } = options;
    const { status, text, messages } = await this.send({ ...others, body: { jsonrpc: '2.0', id, method, params } });
    const answer = messages.find((message) => message.id === id && message.method === undefined);
    if (answer === undefined) {
      throw new Error(`No answer to ${method}: ${status} ${text}`);
    }
    return answer;
  }

  /** Calls a tool. Resolves to the text for the client's model. */
  async call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    { progressToken, ...options }: CallOptions = {},
  ): Promise<ToolResult> {
    const meta = progressToken === undefined ? {} : { _meta: { progressToken } };
    return readToolResult(await this.request('tools/call', { name, arguments: args, ...meta }, options));
  }

  /** Sends one HTTP request. Resolves when the response has ended, rejects if it is cut off. */
  send(options: SendOptions): Promise<HttpAnswer> {
    const { method = 'POST', path = '/mcp', body, signal } = options;
    const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const outgoing = request(new URL(path, this.#options.origin), {
        method,
        agent: this.#agent,
        headers: this.#headers(bytes, options.headers),
        ...(signal !== undefined && { signal }),
      });
      outgoing.once('error', reject);
      outgoing.once('response', (incoming) => {
        options.onBegin?.();
        readAnswer(incoming, options.onMessage ?? (() => undefined)).then(resolve, reject);
      });
      outgoing.end(bytes ?? undefined);
    });
  }

  /** Closes all connections. */
  close(): void {
    this.#agent.destroy();
  }

  #headers(bytes: Buffer | null, own: SendOptions['headers']): Record<string, string> {
    const { token } = this.#options;
    return {
      Accept: 'application/json, text/event-stream',
      ...(bytes !== null && { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) }),
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(this.#sessionId !== null && { 'Mcp-Session-Id': this.#sessionId }),
      ...own,
    };
  }
}

async function readAnswer(
  incoming: IncomingMessage,
  onMessage: (message: JsonRpcMessage) => void,
): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = incoming;
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  const messages: JsonRpcMessage[] = [];
  let text = '';
  let readUpTo = 0;
  incoming.setEncoding('utf8');
  for await (const piece of incoming) {
    text += String(piece);
    for (let end = text.indexOf('\n\n', readUpTo); isStream && end !== -1; end = text.indexOf('\n\n', readUpTo)) {
      for (const message of messagesOf(text.slice(readUpTo, end))) {
        messages.push(message);
        onMessage(message);
      }
      readUpTo = end + 2;
    }
  }
  return { status, headers, text, messages: isStream ? messages : parseBody(headers, text) };
}

/** The message of one event; null for a keep-alive or another event. */
function messagesOf(event: string): readonly JsonRpcMessage[] {
  if (/^event: (?!message$)/m.test(event)) {
    return [];
  }
  const lines = event.split('\n').filter((line) => line.startsWith('data:'));
  const data = lines.map((line) => line.slice(5).trimStart()).join('\n');
  return data === '' ? [] : [JSON.parse(data)];
}

function parseBody(headers: IncomingHttpHeaders, text: string): readonly JsonRpcMessage[] {
  if (text === '' || headers['content-type']?.startsWith('application/json') !== true) {
    return [];
  }
  const body: JsonRpcMessage | readonly JsonRpcMessage[] = JSON.parse(text);
  return 'length' in body ? body : [body];
}

function readToolResult(message: JsonRpcMessage): ToolResult {
  const { content, isError, _meta: meta } = message.result ?? {};
  if (!Array.isArray(content)) {
    throw new Error(`No result of a tool: ${JSON.stringify(message)}`);
  }
  const text = content.map((part: { readonly text?: string }) => part.text ?? '').join('\n');
  return { text, isError: isError === true, meta: typeof meta === 'object' && meta !== null ? { ...meta } : {} };
}

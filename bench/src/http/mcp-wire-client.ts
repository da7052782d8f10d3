import { type WireAnswer, WireConnection } from './wire-connection.ts';

/** A server that speaks MCP over HTTP on loopback, and how to call it. */
export type HttpTarget = {
  readonly port: number;
  /** Null where it asks for none. */
  readonly token: string | null;
  readonly isStateful: boolean;
  readonly call: ToolCall;
};

type ToolCall = {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
};

const protocolVersion = '2025-11-25';

/** All ids have as many digits, so that all requests are equally long. */
const firstId = 100_000;

/** One client of a server: a connection, and where the server has sessions, one of these. */
export class McpWireClient {
  readonly #target: HttpTarget;
  readonly #sessionHeader: string;
  #connection: WireConnection;
  #id = firstId;

  private constructor(target: HttpTarget, connection: WireConnection, sessionHeader: string) {
    this.#target = target;
    this.#connection = connection;
    this.#sessionHeader = sessionHeader;
  }

  static async open(target: HttpTarget): Promise<McpWireClient> {
    const connection = await WireConnection.open(target.port);
    if (!target.isStateful) {
      return new McpWireClient(target, connection, '');
    }
    const { head } = accept(await connection.exchange(postOf(target, '', initialize)));
    const sessionId = /^mcp-session-id: (.+)\r$/im.exec(head)?.[1];
    return new McpWireClient(target, connection, `mcp-session-id: ${sessionId}\r\n`);
  }

  /** Calls the target's tool. Resolves to its answer as it came, and rejects for one that is not the tool's. */
  call(): Promise<string> {
    return this.#request('tools/call', this.#target.call, '{"result":{"content":');
  }

  /** Asks which tools there are. Resolves to the answer as it came. */
  list(): Promise<string> {
    return this.#request('tools/list', {}, '{"result":{"tools":');
  }

  /** Rejects for an answer without these words. */
  async #request(method: string, params: object, words: string): Promise<string> {
    if (!this.#connection.isOpen) {
      this.#connection = await WireConnection.open(this.#target.port);
    }
    this.#id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params });
    const answer = accept(await this.#connection.exchange(postOf(this.#target, this.#sessionHeader, body)));
    if (!answer.body.includes(`"id":${this.#id}`) || !answer.body.includes(words)) {
      throw new Error(`Not the answer: ${answer.body.slice(0, 500)}`);
    }
    return answer.body;
  }

  /** Opens the stream for what the server says unasked, and leaves it open. */
  async listen(): Promise<void> {
    const head = await this.#connection.openStream(requestOf('GET', this.#target, `${this.#sessionHeader}\r\n`));
    if (!head.startsWith('HTTP/1.1 200 ')) {
      throw new Error(`No stream: ${head}`);
    }
  }

  close(): void {
    this.#connection.close();
  }
}

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: firstId,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'gemini-mcp-bench', version: '1.0.0' } },
});

function postOf(target: HttpTarget, sessionHeader: string, body: string): string {
  const headers = `${sessionHeader}content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  return requestOf('POST', target, `${headers}\r\n${body}`);
}

function requestOf(method: string, { port, token }: HttpTarget, rest: string): string {
  const authorization = token === null ? '' : `authorization: Bearer ${token}\r\n`;
  const accepted = method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream';
  return (
    `${method} /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${authorization}` +
    `accept: ${accepted}\r\nmcp-protocol-version: ${protocolVersion}\r\n${rest}`
  );
}

function accept(answer: WireAnswer): WireAnswer {
  if (answer.status !== 200) {
    throw new Error(`Refused: ${answer.head}${answer.body.slice(0, 500)}`);
  }
  return answer;
}

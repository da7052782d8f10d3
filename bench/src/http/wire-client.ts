import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A server that speaks MCP over HTTP on loopback, and one of its tools. */
export type HttpTarget = {
  readonly url: string;
  /** Null if the server asks for none. */
  readonly token: string | null;
  readonly isStateful: boolean;
  /** Whether requests are of revision 2026-07-28; false if missing. */
  readonly isModern?: boolean;
  readonly tool: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
};

/** In Latin-1: characters beyond ASCII are garbled. */
type Answer = {
  readonly status: number;
  readonly head: string;
  /** With the sizes of its chunks, if it came in chunks. */
  readonly body: string;
};

const headEnd = '\r\n\r\n';
const lastChunk = '\r\n0\r\n\r\n';
const protocolVersion = '2025-11-25';
const modernVersion = '2026-07-28';

/** In `_meta` of each request of that revision. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/**
 * One client of a server: a kept connection for one request at a time, and a session if the server has them. It does as little as possible, so that
 * the server is measured: a client that parses headers and bodies would need about as much processor time.
 */
export class WireClient {
  readonly #target: HttpTarget;
  #socket: Socket | undefined;
  #sessionHeader = '';
  #id: number;

  private constructor(target: HttpTarget, id: number) {
    this.#target = target;
    this.#id = id;
  }

  /** From 100,000 on all ids have as many digits, so all requests are equally long. */
  static async open(target: HttpTarget, firstId = 100_000): Promise<WireClient> {
    const client = new WireClient(target, firstId - 1);
    if (target.isStateful) {
      const clientInfo = { name: 'gemini-mcp-bench', version: '1.0.0' };
      const { head } = await client.#request('initialize', { protocolVersion, capabilities: {}, clientInfo });
      client.#sessionHeader = `mcp-session-id: ${/^mcp-session-id: (.+)\r$/im.exec(head)?.[1]}\r\n`;
    }
    return client;
  }

  /** Calls a tool; defaults to the target's. Resolves to the raw answer; rejects unless it is a tool result. */
  async call(tool: HttpTarget['tool'] = this.#target.tool): Promise<string> {
    const { body } = await this.#request('tools/call', tool);
    if (!body.includes(`"id":${this.#id}`) || !body.includes('"content":[')) {
      throw new Error(`Not the answer: ${body.slice(0, 500)}`);
    }
    return body;
  }

  close(): void {
    this.#socket?.destroy();
  }

  async #request(method: string, params: object): Promise<Answer> {
    this.#id += 1;
    const { pathname, port } = new URL(this.#target.url);
    const { token, isModern = false, tool } = this.#target;
    const sent = isModern ? { ...params, _meta: envelope } : params;
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params: sent });
    const versionHeaders = isModern
      ? `mcp-protocol-version: ${modernVersion}\r\nmcp-method: ${method}\r\nmcp-name: ${tool.name}\r\n`
      : `mcp-protocol-version: ${protocolVersion}\r\n${this.#sessionHeader}`;
    const answer = await exchange(
      await this.#connect(Number(port)),
      `POST ${pathname} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${token === null ? '' : `authorization: Bearer ${token}\r\n`}` +
        `accept: application/json, text/event-stream\r\n${versionHeaders}` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    if (answer.status !== 200) {
      throw new Error(`Refused: ${answer.head}${answer.body.slice(0, 500)}`);
    }
    return answer;
  }

  async #connect(port: number): Promise<Socket> {
    if (this.#socket?.writable !== true) {
      this.#socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
      await once(this.#socket, 'connect');
    }
    return this.#socket;
  }
}

/** Sends a request. Resolves when the answer is whole. */
function exchange(socket: Socket, request: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let received = '';
    const take = (piece: string): void => {
      received += piece;
      const answer = readAnswer(received);
      if (answer !== null) {
        socket.off('data', take).off('close', fail);
        if (/^connection: close\r$/im.test(answer.head)) {
          socket.end();
        }
        resolve(answer);
      }
    };
    const fail = (): void => reject(new Error('The server closed the connection within an answer'));
    socket.on('data', take).on('close', fail);
    socket.write(request, 'latin1');
  });
}

/** Null while it is not whole. */
function readAnswer(received: string): Answer | null {
  const end = received.indexOf(headEnd);
  if (end === -1) {
    return null;
  }
  const head = received.slice(0, end + headEnd.length);
  const length = /^content-length: (\d+)\r$/im.exec(head)?.[1];
  const bodyStart = end + headEnd.length;
  const isWhole = length === undefined ? received.endsWith(lastChunk) : received.length >= bodyStart + Number(length);
  return isWhole ? { status: Number(received.slice(9, 12)), head, body: received.slice(bodyStart) } : null;
}

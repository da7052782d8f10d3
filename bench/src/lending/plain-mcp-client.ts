import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Calls tools over Streamable HTTP with next to no time of its own: one connection, no schemas. */
export class PlainMcpClient {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #id = -1;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#url = url;
    this.#headers = {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
  }

  /** Resolves to the result of the call, as JSON. Rejects where there is none. */
  async call(name: string): Promise<string> {
    this.#id += 1;
    const message = { jsonrpc: '2.0', id: this.#id, method: 'tools/call', params: { name, arguments: {} } };
    const answer = await text(await this.#send(JSON.stringify(message)));
    const data = answer.split('\n').find((line) => line.startsWith('data: '));
    if (data === undefined || !data.includes('"result"')) {
      throw new Error(`No result: ${answer.slice(0, 500)}`);
    }
    return data.slice('data: '.length);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(body: string): Promise<IncomingMessage> {
    const headers = { ...this.#headers, 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      request(this.#url, { method: 'POST', agent: this.#agent, headers }, resolve).on('error', reject).end(body);
    });
  }
}

import type { JsonRpcMessage, McpHttpClient, SendOptions } from './mcp-http-client.ts';

/** The ways in which clients cancel a call. */
export type CancelMode = {
  readonly name: string;
  readonly isStateful: boolean;
  readonly isRest: boolean;
  /** By a message; otherwise by closing the request. */
  readonly isTold: boolean;
};

/** Every combination of calling and cancelling. */
export const cancelModes: readonly CancelMode[] = [
  { name: 'MCP, closed', isStateful: false, isRest: false, isTold: false },
  { name: 'MCP, cancelled', isStateful: false, isRest: false, isTold: true },
  { name: 'REST, closed', isStateful: false, isRest: true, isTold: false },
  { name: 'MCP, closed', isStateful: true, isRest: false, isTold: false },
  { name: 'MCP, cancelled', isStateful: true, isRest: false, isTold: true },
];

let lastId = 1_000;

/** A cancellable call of geminiChat. */
export class CancellableCall {
  readonly id: number;
  /** The complete output, once the call has ended. */
  readonly ended: Promise<string>;
  readonly #client: McpHttpClient;
  readonly #mode: CancelMode;
  readonly #closing = new AbortController();

  constructor(client: McpHttpClient, mode: CancelMode, prompt: string) {
    lastId += 1;
    this.id = lastId;
    this.#client = client;
    this.#mode = mode;
    let heard = '';
    const params = { name: 'geminiChat', arguments: { prompt }, _meta: { progressToken: this.id } };
    const request: SendOptions = mode.isRest
      ? { path: '/api/gemini-chat', body: { prompt }, headers: { Accept: 'application/json' } }
      : { body: { jsonrpc: '2.0', id: this.id, method: 'tools/call', params } };
    const keep = (message: JsonRpcMessage): void => {
      heard += message.method === undefined ? JSON.stringify(message) : '';
    };
    this.ended = client.send({ ...request, signal: this.#closing.signal, onMessage: keep }).then(
      ({ text, messages }) => (messages.some(({ method }) => method === undefined) ? text : heard),
      () => heard,
    );
  }

  /** May be called more than once. */
  async cancel(): Promise<void> {
    if (this.#mode.isTold) {
      await cancelById(this.#client, this.id);
    } else {
      this.#closing.abort();
    }
  }
}

/** Sends the cancellation message. Resolves to the status. */
export async function cancelById(client: McpHttpClient, requestId: unknown): Promise<number> {
  const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
  return (await client.send({ body })).status;
}

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { cancelledId } from '../stdio/in-flight-requests.ts';
import { closedError } from './closed-error.ts';

export type PostTransportOptions = {
  /** As one JSON body rather than as a stream of events. */
  readonly answersAsJson: boolean;
  /** Called once, when all requests are answered, or the POST was refused. */
  readonly onAnswered: () => void;
};

/**
 * The SDK's transport for Streamable HTTP, used for one POST. It closes when the HTTP request does, by which the SDK aborts
 * what runs. Nothing else cancels: the SDK would never end a batch in which one message cancels another.
 */
export class PostTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;

  readonly #http: WebStandardStreamableHTTPServerTransport;
  readonly #waiting = new Set<RequestId>();
  readonly #onAnswered: () => void;
  #connection: AbortSignal | null = null;
  #isClosed = false;

  constructor({ answersAsJson, onAnswered }: PostTransportOptions) {
    this.#http = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: answersAsJson });
    this.#onAnswered = onAnswered;
  }

  start(): Promise<void> {
    this.#http.onmessage = (message, extra) => this.#receive(message, extra);
    this.#http.onerror = (error) => this.onerror?.(error);
    this.#http.onclose = () => this.onclose?.();
    return this.#http.start();
  }

  /** Resolves when the answer begins, or to a refusal. `connection` is open still; once it is aborted, what runs is cancelled. */
  async post(request: Request, body: unknown, connection: AbortSignal): Promise<Response> {
    this.#connection = connection;
    connection.addEventListener('abort', this.#closeUnheard, { once: true });
    const response = await this.#http.handleRequest(request, { parsedBody: body });
    this.#endIfAnswered();
    return response;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message && 'id' in message) {
      throw new Error('Without a session nothing can be asked of the client: its answer would not find the call');
    }
    if ('method' in message || message.id === undefined) {
      const { relatedRequestId } = options ?? {};
      return this.#http.send(message, relatedRequestId === undefined ? {} : { relatedRequestId });
    }
    this.#waiting.delete(message.id);
    await this.#http.send(message);
    this.#endIfAnswered();
  }

  /** Whoever waits for an answer still is told that none will come. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const id of this.#waiting) {
      this.#http.send({ jsonrpc: '2.0', id, error: closedError }).catch(() => undefined);
    }
    this.#waiting.clear();
    this.#forgetConnection();
    await this.#http.close();
  }

  readonly #closeUnheard = (): void => void this.close();

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    // The SDK delivers a moment after it has taken a request, and would run what comes after the end.
    if (this.#isClosed || cancelledId(message) !== null) {
      return;
    }
    if ('method' in message && 'id' in message) {
      this.#waiting.add(message.id);
    }
    this.onmessage?.(message, extra);
  }

  #endIfAnswered(): void {
    if (this.#waiting.size === 0 && this.#connection !== null) {
      this.#forgetConnection();
      this.#onAnswered();
    }
  }

  #forgetConnection(): void {
    this.#connection?.removeEventListener('abort', this.#closeUnheard);
    this.#connection = null;
  }
}

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { cancelledId } from '../stdio/in-flight-requests.ts';
import { cancelledError, closedError } from './closed-error.ts';
import { isRequestId } from './is-request-id.ts';
import { OpenRequests } from './open-requests.ts';
import { carrySignal } from './request-signal.ts';

export type PostTransportOptions = {
  /** As one JSON body rather than as a stream of events. */
  readonly answersAsJson: boolean;
  /** Of the requests in the body. */
  readonly ids: readonly unknown[];
  /** Aborted when the HTTP request is closed: what runs for it is cancelled. */
  readonly connection: AbortSignal;
  /** Called once, when all handlers have ended, or the POST was refused. Not called once the transport is closed. */
  readonly onAnswered: () => void;
  /** Told of each request that a notification in the body cancels, which may have come in another POST. */
  readonly onCancelled: (id: RequestId) => void;
};

/**
 * The SDK's transport for Streamable HTTP, used for one POST. It closes when the HTTP request does. Cancellation is in our own
 * hands, because the SDK would never end the stream of a cancelled request, and ignores the cancelling of the ids 0 and ''.
 */
export class PostTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;

  readonly #options: PostTransportOptions;
  readonly #http: WebStandardStreamableHTTPServerTransport;
  /** Open from the beginning, because a request can be cancelled before the SDK has delivered it. */
  readonly #requests = new OpenRequests(() => void this.close());
  #isClosed = false;
  #isAnswered = false;

  constructor(options: PostTransportOptions) {
    this.#options = options;
    this.#http = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: options.answersAsJson });
    for (const id of options.ids.filter(isRequestId)) {
      this.#requests.open(id, options.connection);
    }
  }

  start(): Promise<void> {
    this.#http.onmessage = (message, extra) => this.#receive(message, extra);
    this.#http.onerror = (error) => this.onerror?.(error);
    this.#http.onclose = () => this.onclose?.();
    return this.#http.start();
  }

  /** To be called once, with the POST that has these requests. Resolves when the answer begins, or to a refusal. */
  async post(request: Request, body: unknown): Promise<Response> {
    const response = await this.#http.handleRequest(request, { parsedBody: body });
    if (!response.ok) {
      for (const id of this.#options.ids.filter(isRequestId)) {
        this.#requests.settle(id);
      }
    }
    this.#endIfAnswered();
    return response;
  }

  /** Aborts the handler of a request and drops its answer. Does nothing where no request has this id. */
  cancel(id: RequestId): void {
    const isAlone = this.#requests.isAlone(id);
    if (this.#requests.giveUp(id)) {
      this.#endCancelled(id, isAlone);
    }
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message && 'id' in message) {
      throw new Error('Without a session nothing can be asked of the client: its answer would not find the call');
    }
    if ('method' in message || message.id === undefined) {
      const { relatedRequestId } = options ?? {};
      return this.#http.send(message, relatedRequestId === undefined ? {} : { relatedRequestId });
    }
    if (this.#requests.settle(message.id)) {
      await this.#http.send(message);
    }
    this.#endIfAnswered();
  }

  /** Cancels what runs, and tells each client that waits for an answer that none will come. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const id of this.#requests.waiting) {
      this.#requests.giveUp(id);
      this.#http.send({ jsonrpc: '2.0', id, error: closedError }).catch(() => undefined);
    }
    await this.#http.close();
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (this.#isClosed) {
      // The SDK delivers a moment after it has taken a request, and would run what comes after the end.
      return;
    }
    const cancelled = cancelledId(message);
    if (cancelled !== null) {
      this.#options.onCancelled(cancelled);
      return;
    }
    if (!('method' in message && 'id' in message)) {
      this.onmessage?.(message, extra);
      return;
    }
    const signal = this.#requests.signalOf(message.id);
    if (signal === null || signal.aborted) {
      // It was cancelled before it could be delivered: what had to end then was not there yet.
      this.#endCancelled(message.id, this.#requests.isAlone(message.id));
      this.#requests.settle(message.id);
      return;
    }
    this.onmessage?.(message, { ...extra, authInfo: carrySignal(signal) });
  }

  /** A cancelled request is not answered, unless other answers are to come in the same response, or the response is JSON. */
  #endCancelled(id: RequestId, isAlone: boolean): void {
    if (isAlone && !this.#options.answersAsJson) {
      this.#http.closeSSEStream(id);
    }
    this.#http.send({ jsonrpc: '2.0', id, error: cancelledError }).catch(() => undefined);
  }

  #endIfAnswered(): void {
    if (this.#requests.size === 0 && !this.#isAnswered) {
      this.#isAnswered = true;
      this.#options.onAnswered();
    }
  }
}

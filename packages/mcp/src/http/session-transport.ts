import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, JSONRPCRequest, MessageExtraInfo, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { cancelledId } from '../stdio/in-flight-requests.ts';
import { cancelledError, closedError } from './closed-error.ts';
import { OpenRequests } from './open-requests.ts';
import { carriedSignal, carrySignal } from './request-signal.ts';

export type SessionTransportOptions = {
  readonly sessionId: string;
  /** Called whenever the last handler that was running has ended. */
  readonly onQuiet: () => void;
};

/**
 * The SDK's transport for Streamable HTTP in a session, with cancellation in our own hands: a closed HTTP request cancels what
 * came in it, whatever ids that has, and ends at once what the SDK would keep. Left to itself the SDK holds the stream of a
 * cancelled request open, and its id in memory, until the session ends.
 */
export class SessionTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;

  readonly #http: WebStandardStreamableHTTPServerTransport;
  readonly #requests = new OpenRequests((id) => this.#giveUp(id));
  readonly #onQuiet: () => void;
  #isClosed = false;

  constructor({ sessionId, onQuiet }: SessionTransportOptions) {
    this.#onQuiet = onQuiet;
    this.#http = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => sessionId });
  }

  /** Undefined until a client has initialized. */
  get sessionId(): string | undefined {
    return this.#http.sessionId;
  }

  /** Whether no handler runs. */
  get isQuiet(): boolean {
    return this.#requests.size === 0;
  }

  isTaken(id: RequestId): boolean {
    return this.#requests.has(id);
  }

  start(): Promise<void> {
    this.#http.onmessage = (message, extra) => this.#receive(message, extra);
    this.#http.onerror = (error) => this.onerror?.(error);
    this.#http.onclose = () => {
      this.#isClosed = true;
      this.#giveUpAll();
      this.onclose?.();
    };
    return this.#http.start();
  }

  /** Answers a POST with this body. Once `signal` is aborted, what runs for it is cancelled. */
  post(request: Request, body: unknown, signal: AbortSignal): Promise<Response> {
    return this.#http.handleRequest(request, { parsedBody: body, authInfo: carrySignal(signal) });
  }

  /** Answers a request without a body. */
  answer(request: Request): Promise<Response> {
    return this.#http.handleRequest(request);
  }

  /** Drops the answer that nobody waits for any more. */
  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message || message.id === undefined) {
      const { relatedRequestId } = options ?? {};
      await this.#http.send(message, relatedRequestId === undefined ? {} : { relatedRequestId });
      return;
    }
    if (this.#requests.settle(message.id)) {
      await this.#http.send(message);
    }
    if (this.isQuiet) {
      this.#onQuiet();
    }
  }

  /** Whoever waits for an answer still is told that none will come. */
  async close(): Promise<void> {
    this.#giveUpAll();
    await this.#http.close();
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    const cancelled = cancelledId(message);
    if (cancelled !== null) {
      this.#cancel(cancelled);
      return;
    }
    if (this.#isClosed) {
      // The SDK delivers a moment after it has taken a request, and would run what comes after the end.
      return;
    }
    this.onmessage?.(message, 'method' in message && 'id' in message ? this.#open(message, extra) : extra);
  }

  #open({ id }: JSONRPCRequest, extra: MessageExtraInfo | undefined): MessageExtraInfo {
    const signal = this.#requests.open(id, carriedSignal(extra?.authInfo));
    return { ...extra, authInfo: carrySignal(signal) };
  }

  /** A cancelled request is not answered, unless others are to be on the same stream: its end is the only other sign. */
  #cancel(id: RequestId): void {
    if (this.#requests.isAlone(id)) {
      this.#http.closeSSEStream(id);
    }
    this.#giveUp(id);
  }

  /** The SDK lets go of a request, and of its stream, when it is answered: also where nobody can read that. */
  #giveUp(id: RequestId, error: typeof closedError = cancelledError): void {
    if (this.#requests.giveUp(id)) {
      this.#http.send({ jsonrpc: '2.0', id, error }).catch(() => undefined);
    }
  }

  #giveUpAll(): void {
    for (const id of this.#requests.waiting) {
      this.#giveUp(id, closedError);
    }
  }
}

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, type MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import type { ConnectionRequests } from '../requests/connection-requests.ts';
import type { Arrival, GivenUp, RequestCarrier } from '../requests/ledger-entry.ts';

export type HttpTransportOptions = {
  readonly page: ConnectionRequests;
  /** Null without sessions: then the transport takes one POST. */
  readonly sessionId: string | null;
  /** As one JSON body instead of a stream of events. */
  readonly answersAsJson: boolean;
};

/**
 * The SDK's transport for Streamable HTTP with our own cancellation: the SDK alone holds the stream of a cancelled request open, and
 * its id in memory, until the transport closes.
 */
export class HttpTransport implements RequestCarrier {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;

  readonly takesAnswers: boolean;
  readonly #page: ConnectionRequests;
  readonly #answersAsJson: boolean;
  readonly #http: WebStandardStreamableHTTPServerTransport;

  constructor({ page, sessionId, answersAsJson }: HttpTransportOptions) {
    this.#page = page;
    this.#answersAsJson = answersAsJson;
    this.takesAnswers = sessionId !== null;
    this.#http = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: answersAsJson,
      ...(sessionId !== null && { sessionIdGenerator: () => sessionId }),
    });
  }

  start(): Promise<void> {
    this.#http.onmessage = (message, extra) => this.onmessage?.(message, extra);
    this.#http.onerror = (error) => this.onerror?.(error);
    this.#http.onclose = () => this.onclose?.();
    return this.#http.start();
  }

  /**
   * Answers a POST with this body. Its requests are in the ledger already, so they can be cancelled before the SDK has delivered them.
   * Resolves when the answer begins, or to a refusal.
   */
  async post(request: Request, body: unknown, arrival: Arrival): Promise<Response> {
    try {
      return await this.#http.handleRequest(request, { parsedBody: body });
    } finally {
      this.#page.dropUndelivered(arrival);
    }
  }

  /** Answers a request without a body. */
  answer(request: Request): Promise<Response> {
    return this.#http.handleRequest(request);
  }

  async send(message: JSONRPCMessage, { relatedRequestId }: TransportSendOptions = {}): Promise<void> {
    if (!this.takesAnswers && 'method' in message && 'id' in message) {
      throw new Error('Without a session the client cannot be asked: its answer would not reach the call');
    }
    await this.#http.send(message, relatedRequestId === undefined ? {} : { relatedRequestId });
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  /**
   * The SDK releases a request and its stream when it is answered. A cancelled request is answered only if other answers follow in the
   * same response, or if the response is JSON; otherwise the end of the stream is the only sign.
   */
  giveUp({ id, reason, isAlone }: GivenUp): void {
    if (reason === 'cancelled' && isAlone && !this.#answersAsJson) {
      this.#http.closeSSEStream(id);
    }
    const error = reason === 'cancelled' ? cancelledError : closedError;
    this.#http.send({ jsonrpc: '2.0', id, error }).catch(() => undefined);
  }
}

type ErrorInPlaceOfAnswer = { readonly code: number; readonly message: string };

/** The error that replaces an answer when the server or the session ends first. */
const closedError: ErrorInPlaceOfAnswer = {
  code: ErrorCode.ConnectionClosed,
  message: 'The server closed the connection before it could answer',
};

/** The error that replaces the answer to a cancelled request, if one has to be sent. */
const cancelledError: ErrorInPlaceOfAnswer = {
  code: ErrorCode.ConnectionClosed,
  message: 'The request was cancelled',
};

import type { ConnectionFailure } from '@gemini-mcp/core/internal';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { MinuteCount } from './minute-count.ts';
import { type Asked, OwnRequests, type ServerRequest } from './own-requests.ts';

/** Notifications of a server that mean something to us. */
const heard: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/message',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/tools/list_changed',
]);

/** Requests of a server that are carried out at a time: each is an elicitation, a list of roots, or a mistake. */
const maxServerRequests = 16;

/** Requests of a server in a minute, whether they are carried out or refused: none has a use for more. */
const maxRequestsPerMinute = 1_000;

/** Of everything that a server sends unasked. Progress and lines for a log come far less often. */
const maxUnaskedPerMinute = 100_000;

/** For a request that can have no answer any more: not of the codes of JSON-RPC. */
const lostCode = -32_001;

/**
 * Lets through what fits: one answer for each request that was sent, and what we hear or may be asked. The SDK takes any value that
 * `Number` makes the number of a request for its answer, `null` for the first.
 */
export class GuardedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #inner: Transport;
  readonly #drop: (request: number) => void;
  /** Requests of the SDK's client. */
  readonly #waiting = new Set<number>();
  readonly #own: OwnRequests = new OwnRequests((message) => this.send(message));
  /** Requests of the server whose answers are not sent yet. */
  readonly #serverRequests = new Set<string | number>();
  #refusals = 0;
  readonly #unasked: MinuteCount = new MinuteCount();
  readonly #askedOfUs: MinuteCount = new MinuteCount();
  #flooding: ConnectionFailure | null = null;
  #isClosed = false;
  #hasAnswered = false;

  /** `drop` hears of each request whose answer is no longer wanted. */
  constructor(inner: Transport, drop: (request: number) => void = () => undefined) {
    this.#inner = inner;
    this.#drop = drop;
    inner.onclose = () => this.#close();
    const onerror = inner.onerror;
    inner.onerror = (error) => {
      onerror?.(error);
      this.onerror?.(error);
    };
    inner.onmessage = (message) => (this.#isClosed ? undefined : this.#take(message));
  }

  /** Whether the server has answered a request of the SDK's client, by whatever answer. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Why the connection was ended here; null if it was not. */
  get flooding(): ConnectionFailure | null {
    return this.#flooding;
  }

  isWaiting(id: number): boolean {
    return this.#waiting.has(id) || this.#own.has(id);
  }

  /** Asks the server, without the client of the SDK. */
  ask(request: ServerRequest): Asked {
    return this.#own.ask(request);
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  async start(): Promise<void> {
    await this.#inner.start();
  }

  async close(): Promise<void> {
    this.#close();
    await this.#inner.close();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message && 'id' in message && typeof message.id === 'number' && !this.#own.has(message.id)) {
      this.#waiting.add(message.id);
    }
    if ('method' in message && message.method === 'notifications/cancelled') {
      this.#forget(message.params?.['requestId']);
      await this.#inner.send(message, options).finally(() => this.#dropIfKnown(message.params?.['requestId']));
      return;
    }
    await this.#inner.send(message, options).finally(() => {
      if (!('method' in message) && message.id !== undefined) {
        // Not before: over HTTP each answer is a request of its own, of which a fast server would have any number made at a time.
        this.#serverRequests.delete(message.id);
      }
    });
  }

  /** Ends a request whose answer cannot come any more. Nothing happens where it does not wait. */
  failRequest(id: number, why: string): void {
    if (!this.#own.fail(id, why) && this.#waiting.delete(id)) {
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code: lostCode, message: why } });
    }
  }

  /** Ends the connection with a server that sent more than `what` within a minute. */
  endFlood(what: string): void {
    const detail = `It sent more than ${what} of its own within a minute, and the connection was ended.`;
    this.#flooding = { kind: 'flooding', detail };
    void this.close().catch(() => undefined);
  }

  /** The one request that waits; null where there are more, or none. */
  get onlyWaiting(): number | null {
    const [id, other] = [...this.#waiting, ...this.#own.ids];
    return id !== undefined && other === undefined ? id : null;
  }

  #forget(id: unknown): void {
    if (typeof id === 'number') {
      this.#waiting.delete(id);
    }
  }

  #dropIfKnown(id: unknown): void {
    if (typeof id === 'number') {
      this.#drop(id);
    }
  }

  #take(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      this.#takeAnswer(message);
      return;
    }
    if (this.#isFlood('id' in message)) {
      return;
    }
    if ('id' in message) {
      this.#takeRequest(message);
      return;
    }
    if (message.method === 'notifications/cancelled') {
      this.#endServerRequest(message.params?.['requestId']);
    }
    if (message.method === 'notifications/progress') {
      this.#own.hear(message.params ?? {});
    } else if (heard.has(message.method)) {
      this.onmessage?.(message);
    }
  }

  /** Once: a second answer, one to no request and one that comes too late are for no request. */
  #takeAnswer(message: Exclude<JSONRPCMessage, { method: string }>): void {
    if (this.#own.take(message)) {
      return;
    }
    if (typeof message.id === 'number' && this.#waiting.delete(message.id)) {
      this.#hasAnswered = true;
      this.onmessage?.(message);
    } else {
      this.#isFlood(false);
    }
  }

  #takeRequest(message: Extract<JSONRPCMessage, { id: string | number; method: string }>): void {
    const { id } = message;
    if (this.#serverRequests.has(id) || this.#serverRequests.size >= maxServerRequests) {
      this.#refuse(id);
      return;
    }
    this.#serverRequests.add(id);
    this.onmessage?.(message);
  }

  /** A server that does not wait for these answers gets no more than some of them. */
  #refuse(id: string | number): void {
    if (this.#refusals >= maxServerRequests) {
      return;
    }
    this.#refusals += 1;
    const error = { code: -32_000, message: 'Too many requests at a time' };
    this.#inner
      .send({ jsonrpc: '2.0', id, error })
      .catch(() => undefined)
      .finally(() => {
        this.#refusals -= 1;
      });
  }

  /** Counts what the server sends unasked, and ends the connection with one that sends more than has a use. */
  #isFlood(isRequest: boolean): boolean {
    const messages = this.#unasked.add();
    if (isRequest && this.#askedOfUs.add() > maxRequestsPerMinute) {
      this.endFlood(`${maxRequestsPerMinute} requests`);
    } else if (messages > maxUnaskedPerMinute) {
      this.endFlood(`${maxUnaskedPerMinute} messages`);
    }
    return this.#flooding !== null;
  }

  /** No answer is sent to what the server has taken back. */
  #endServerRequest(id: unknown): void {
    if (typeof id === 'number' || typeof id === 'string') {
      this.#serverRequests.delete(id);
    }
  }

  #close(): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
      this.#own.end();
    }
  }
}

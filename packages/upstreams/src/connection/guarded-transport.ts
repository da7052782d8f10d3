import type { ConnectionFailure } from '@gemini-mcp/core/internal';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { MinuteCount } from './minute-count.ts';

/** The notifications passed to the client. */
const heard: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/message',
  'notifications/progress',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/tools/list_changed',
]);

/** Concurrent requests of a server: each is an elicitation, a list of roots, or a mistake. */
const maxServerRequests = 16;

/** Requests of a server per minute, handled or refused. */
const maxRequestsPerMinute = 1_000;

/** Requests and notifications of a server per minute. Progress and log lines are far rarer. */
const maxUnaskedPerMinute = 100_000;

/** Replaces the `data` of an error, which we never read: it separates the server's errors from the SDK's, because a server may use the SDK's codes. */
export const errorOrigin: { readonly server: unknown; readonly unreadable: unknown } = {
  server: Symbol('server'),
  unreadable: Symbol('unreadable'),
};

const lostCode = -32_001;

/**
 * Guards any transport for the SDK's client: passes one answer for each open request, the notifications we listen to, and a bounded number of
 * requests. Disconnects a server that floods us. Without it the SDK takes an answer for whichever request id `Number` makes of its id: for
 * `null`, the first request.
 */
export class GuardedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #inner: Transport;
  readonly #onAbandoned: (request: number) => void;
  /** Ids of our unanswered requests. */
  readonly #waiting = new Set<number>();
  /** The server's unanswered requests. */
  readonly #serverRequests = new Set<string | number>();
  readonly #unasked: MinuteCount = new MinuteCount();
  readonly #serverRequestCount: MinuteCount = new MinuteCount();
  #refusals = 0;
  #flooding: ConnectionFailure | null = null;
  #isClosed = false;

  /** Calls `onAbandoned` for each cancelled request. */
  constructor(inner: Transport, onAbandoned: (request: number) => void = () => undefined) {
    this.#inner = inner;
    this.#onAbandoned = onAbandoned;
    inner.onclose = () => this.#close();
    const onerror = inner.onerror;
    inner.onerror = (error) => {
      onerror?.(error);
      this.onerror?.(error);
    };
    inner.onmessage = (message) => (this.#isClosed ? undefined : this.#take(message));
  }

  /** Why the guard ended the connection, or null. */
  get flooding(): ConnectionFailure | null {
    return this.#flooding;
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
    if (!('method' in message)) {
      // Frees its slot only once the answer is sent: over HTTP each answer is a request of its own, which a fast server could pile up.
      await this.#inner.send(message, options).finally(() => this.#endServerRequest(message.id));
    } else if (message.method === 'notifications/cancelled') {
      await this.#sendCancelled(message, options);
    } else {
      if ('id' in message && typeof message.id === 'number') {
        this.#waiting.add(message.id);
      }
      await this.#inner.send(message, options);
    }
  }

  /** Ends a request whose answer cannot come any more. Null means the only open one: the answer does not show its request. */
  failRequest(id: number | null, why: string): void {
    const [first, second] = this.#waiting;
    const failed = id ?? (second === undefined ? first : undefined);
    if (failed !== undefined && this.#waiting.delete(failed)) {
      const error = { code: lostCode, message: why, data: errorOrigin.unreadable };
      this.onmessage?.({ jsonrpc: '2.0', id: failed, error });
    }
  }

  /** Disconnects a server that sent more than `what` within a minute. */
  endFlood(what: string): void {
    const detail = `It sent more than ${what} unasked within a minute, so the connection was ended.`;
    this.#flooding = { kind: 'flooding', detail };
    void this.close().catch(() => undefined);
  }

  async #sendCancelled(
    message: Extract<JSONRPCMessage, { method: string }>,
    options?: TransportSendOptions,
  ): Promise<void> {
    const id = message.params?.['requestId'];
    const request = typeof id === 'number' ? id : null;
    if (request !== null) {
      this.#waiting.delete(request);
    }
    await this.#inner.send(message, options).finally(() => request !== null && this.#onAbandoned(request));
  }

  #take(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      this.#takeAnswer(message);
    } else if (this.#isFlood('id' in message)) {
      return;
    } else if ('id' in message) {
      this.#takeRequest(message);
    } else if (heard.has(message.method)) {
      this.#takeNotification(message);
    }
  }

  /** Drops second, late and unmatched answers. */
  #takeAnswer(message: Exclude<JSONRPCMessage, { method: string }>): void {
    if (typeof message.id === 'number' && this.#waiting.delete(message.id)) {
      this.onmessage?.(toAnswer(message));
    } else {
      this.#isFlood(false);
    }
  }

  #takeNotification(message: Extract<JSONRPCMessage, { method: string }>): void {
    if (message.method === 'notifications/cancelled') {
      // A request that the server cancelled gets no answer.
      this.#endServerRequest(message.params?.['requestId']);
    }
    const token = message.params?.['progressToken'];
    const isOfRequest = typeof token === 'number' && this.#waiting.has(token);
    if (message.method !== 'notifications/progress' || isOfRequest) {
      this.onmessage?.(message);
    }
  }

  #takeRequest(message: Extract<JSONRPCMessage, { id: string | number; method: string }>): void {
    const { id } = message;
    if (this.#serverRequests.has(id) || this.#serverRequests.size >= maxServerRequests) {
      this.#refuse(id);
    } else {
      this.#serverRequests.add(id);
      this.onmessage?.(message);
    }
  }

  /** With too many refusals unsent, further requests get no answer: this server does not wait for them. */
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

  /** Counts messages that we did not ask for, and ends the connection at the limit. */
  #isFlood(isRequest: boolean): boolean {
    const messages = this.#unasked.add();
    if (isRequest && this.#serverRequestCount.add() > maxRequestsPerMinute) {
      this.endFlood(`${maxRequestsPerMinute} requests`);
    } else if (messages > maxUnaskedPerMinute) {
      this.endFlood(`${maxUnaskedPerMinute} messages`);
    }
    return this.#flooding !== null;
  }

  #endServerRequest(id: unknown): void {
    if (typeof id === 'number' || typeof id === 'string') {
      this.#serverRequests.delete(id);
    }
  }

  #close(): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
    }
  }
}

/** Drops `task`: the SDK would keep its id until the connection ends. */
function toAnswer(message: Exclude<JSONRPCMessage, { method: string }>): JSONRPCMessage {
  if ('error' in message) {
    return { ...message, error: { ...message.error, data: errorOrigin.server } };
  }
  if (!('task' in message.result)) {
    return message;
  }
  const { task: _, ...result } = message.result;
  return { ...message, result };
}

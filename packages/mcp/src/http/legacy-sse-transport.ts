import type { Clock } from '@gemini-mcp/core';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { cancelledId } from '../stdio/in-flight-requests.ts';
import { closedError } from './closed-error.ts';
import { OpenRequests } from './open-requests.ts';
import { carrySignal } from './request-signal.ts';

/** As the SDK has it for its own streams: what stands between closes a connection that is silent for a minute. */
const keepAliveMs = 15_000;

/** Answers that a client does not fetch pile up in memory. Beyond this it has to read before it may ask for more. */
const maxPendingBytes = 1024 * 1024;

/** Each is answered on the one stream, long after its own HTTP request is over: nothing else limits how many there are. */
const maxOpenRequests = 64;

export type LegacySseTransportOptions = {
  readonly clock: Clock;
  /** Where the client is to send its messages. */
  readonly endpoint: string;
  /** Called whenever the last handler that was running has ended. */
  readonly onQuiet: () => void;
};

/**
 * Carries what the server says as events of one stream, as the revision 2024-11-05 has it. The SDK's transport for it is bound
 * to Node's responses, has no bound for a client that does not read, and no keep-alive.
 */
export class LegacySseTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;

  /** The body of the response to the GET. Its cancelling closes the transport. */
  readonly stream: ReadableStream<Uint8Array>;

  readonly #clock: Clock;
  readonly #endpoint: string;
  readonly #onQuiet: () => void;
  readonly #requests = new OpenRequests((id) => this.#requests.giveUp(id));
  readonly #closed = new AbortController();
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;

  constructor({ clock, endpoint, onQuiet }: LegacySseTransportOptions) {
    this.#clock = clock;
    this.#endpoint = endpoint;
    this.#onQuiet = onQuiet;
    this.stream = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.close(),
      },
      { highWaterMark: maxPendingBytes, size: ({ byteLength }) => byteLength },
    );
  }

  /** Whether no handler runs. */
  get isQuiet(): boolean {
    return this.#requests.size === 0;
  }

  /** Whether the client has to read, or to wait for answers, before it may send more. */
  get isFull(): boolean {
    return this.#isBehind || this.#requests.size >= maxOpenRequests;
  }

  isTaken(id: RequestId): boolean {
    return this.#requests.has(id);
  }

  start(): Promise<void> {
    this.#write('endpoint', this.#endpoint);
    void this.#keepAlive();
    return Promise.resolve();
  }

  receive(message: JSONRPCMessage): void {
    const cancelled = cancelledId(message);
    if (cancelled !== null) {
      this.#requests.giveUp(cancelled);
      return;
    }
    if (!('method' in message && 'id' in message)) {
      this.onmessage?.(message);
      return;
    }
    const { id } = message;
    const signal = this.#requests.open(id, this.#closed.signal);
    this.onmessage?.(message, { authInfo: carrySignal(signal) });
  }

  /** Drops answers to requests that were cancelled, and progress that the client is too slow for. */
  send(message: JSONRPCMessage): Promise<void> {
    const isAnswer = !('method' in message);
    if (isAnswer ? message.id === undefined || this.#requests.settle(message.id) : !this.#isTooMuch(message.method)) {
      this.#write('message', JSON.stringify(message));
    }
    if (isAnswer && this.isQuiet) {
      this.#onQuiet();
    }
    return Promise.resolve();
  }

  /** Whoever waits for an answer still is told that none will come. */
  close(): Promise<void> {
    if (!this.#closed.signal.aborted) {
      for (const id of this.#requests.waiting) {
        this.#write('message', JSON.stringify({ jsonrpc: '2.0', id, error: closedError }));
      }
      this.#closed.abort();
      this.#attempt((controller) => controller.close());
      this.onclose?.();
    }
    return Promise.resolve();
  }

  get #isBehind(): boolean {
    return (this.#controller?.desiredSize ?? 0) <= 0;
  }

  /** Of everything else that a server says by itself there is little, and a client that misses it is wrong from then on. */
  #isTooMuch(method: string): boolean {
    return method === 'notifications/progress' && this.#isBehind;
  }

  async #keepAlive(): Promise<void> {
    const { signal } = this.#closed;
    const sleep = (): Promise<boolean> =>
      this.#clock.sleep(keepAliveMs, signal).then(
        () => true,
        () => false,
      );
    while (await sleep()) {
      if (!this.#isBehind) {
        this.#attempt((controller) => controller.enqueue(this.#encoder.encode(': keepalive\n\n')));
      }
    }
  }

  #write(event: string, data: string): void {
    this.#attempt((controller) => controller.enqueue(this.#encoder.encode(`event: ${event}\ndata: ${data}\n\n`)));
  }

  /** A stream that its reader has cancelled takes nothing any more, and says so by throwing. */
  #attempt(use: (controller: ReadableStreamDefaultController<Uint8Array>) => void): void {
    try {
      if (this.#controller !== null) {
        use(this.#controller);
      }
    } catch {
      // Whoever is to know hears it from `onclose`.
    }
  }
}

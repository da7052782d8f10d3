import type { Clock } from '@gemini-mcp/core';
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import type { GivenUp, RequestCarrier } from '../requests/request-carrier.ts';
import { closedError } from './closed-error.ts';

/** As the SDK has it for its own streams: what stands between closes a connection that is silent for a minute. */
const keepAliveMs = 15_000;

/** Answers that a client does not fetch pile up in memory. Beyond this it has to read before it may ask for more. */
const maxPendingBytes = 1024 * 1024;

export type LegacySseTransportOptions = {
  readonly clock: Clock;
  /** Where the client is to send its messages. */
  readonly endpoint: string;
};

/**
 * Carries what the server says as events of one stream, as the revision 2024-11-05 has it. The SDK's transport for it is bound
 * to Node's responses, has no bound for a client that does not read, and no keep-alive.
 */
export class LegacySseTransport implements RequestCarrier {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;

  /** The body of the response to the GET. Its cancelling closes the transport. */
  readonly stream: ReadableStream<Uint8Array>;

  readonly #clock: Clock;
  readonly #endpoint: string;
  readonly #closed = new AbortController();
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;

  constructor({ clock, endpoint }: LegacySseTransportOptions) {
    this.#clock = clock;
    this.#endpoint = endpoint;
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

  /** Whether the client has to read before anything but answers is sent. */
  get isBehind(): boolean {
    return (this.#controller?.desiredSize ?? 0) <= 0;
  }

  start(): Promise<void> {
    this.#write('endpoint', this.#endpoint);
    void this.#keepAlive();
    return Promise.resolve();
  }

  receive(message: JSONRPCMessage): void {
    this.onmessage?.(message);
  }

  /** Drops progress that the client is too slow for. */
  send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message && this.#isTooMuch(message.method))) {
      this.#write('message', JSON.stringify(message));
    }
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (!this.#closed.signal.aborted) {
      this.#closed.abort();
      this.#attempt((controller) => controller.close());
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /** Tells a client that waits for an answer that none will come. A cancelled request is not answered. */
  giveUp({ id, reason }: GivenUp): void {
    if (reason === 'closed') {
      this.#write('message', JSON.stringify({ jsonrpc: '2.0', id, error: closedError }));
    }
  }

  /** Of everything else that a server says by itself there is little, and a client that misses it is wrong from then on. */
  #isTooMuch(method: string): boolean {
    return method === 'notifications/progress' && this.isBehind;
  }

  async #keepAlive(): Promise<void> {
    const { signal } = this.#closed;
    const sleep = (): Promise<boolean> =>
      this.#clock.sleep(keepAliveMs, signal).then(
        () => true,
        () => false,
      );
    while (await sleep()) {
      if (!this.isBehind) {
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

import type { Clock } from '@gemini-mcp/core';
import { sleepUnlessAborted } from '@gemini-mcp/core/internal';
import type { Notification } from '../create-modern-server.ts';

/** Proxies close a silent stream after 30 s or more. */
const keepAliveMs = 15_000;

export type ResponseStreamOptions = {
  readonly clock: Clock;
  /** Whether the client takes a stream of events. Otherwise notifications are dropped, and the answer is JSON. */
  readonly takesEvents: boolean;
};

/**
 * The response to one request: JSON if the answer is the first message, and a stream of events as soon as a notification comes before
 * it or the answer takes 15 s.
 */
export class ResponseStream {
  /** Resolves when the head of the response is known. */
  readonly response: Promise<Response>;

  readonly #takesEvents: boolean;
  readonly #ended = new AbortController();
  #resolve: (response: Response) => void = () => undefined;
  #events: ReadableStreamDefaultController<Uint8Array> | null = null;
  #waitingForRoom: (() => void)[] = [];

  /** An abort of `signal` ends the response without an answer: its client has gone. */
  constructor({ clock, takesEvents }: ResponseStreamOptions, signal: AbortSignal) {
    this.#takesEvents = takesEvents;
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const close = (): void => this.#close();
    signal.addEventListener('abort', close, { once: true });
    this.#ended.signal.addEventListener('abort', () => signal.removeEventListener('abort', close), { once: true });
    if (signal.aborted) {
      close();
    }
    void this.#keepAlive(clock);
  }

  /** Resolves when the client has room for more. */
  readonly send = async (notification: Notification): Promise<void> => {
    if (this.#takesEvents && !this.#ended.signal.aborted) {
      await this.#write(eventOf({ jsonrpc: '2.0', ...notification }));
    }
  };

  /** Sends the answer, and ends the response. `status` counts only if the answer is the first message. */
  end(message: object, status = 200): void {
    if (this.#ended.signal.aborted) {
      return;
    }
    if (this.#events === null) {
      this.#resolve(Response.json(message, { status }));
    } else {
      this.#events.enqueue(encoder.encode(eventOf(message)));
    }
    this.#close();
  }

  #close(): void {
    if (this.#ended.signal.aborted) {
      return;
    }
    this.#ended.abort();
    this.#resolve(new Response(null, { status: clientClosedRequest }));
    this.#events?.close();
    this.#proceed();
  }

  async #keepAlive(clock: Clock): Promise<void> {
    while (this.#takesEvents && (await sleepUnlessAborted(clock, keepAliveMs, this.#ended.signal))) {
      await this.#write(': keep-alive\n\n');
    }
  }

  async #write(text: string): Promise<void> {
    const events = this.#events ?? this.#begin();
    events.enqueue(encoder.encode(text));
    if ((events.desiredSize ?? 0) <= 0) {
      await new Promise<void>((resolve) => {
        this.#waitingForRoom.push(resolve);
      });
    }
  }

  #begin(): ReadableStreamDefaultController<Uint8Array> {
    let begun: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        begun = controller;
      },
      pull: () => this.#proceed(),
      cancel: () => {
        this.#ended.abort();
        this.#proceed();
      },
    });
    if (begun === undefined) {
      throw new Error('A stream starts when it is created');
    }
    this.#events = begun;
    const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' };
    this.#resolve(new Response(body, { headers }));
    return begun;
  }

  #proceed(): void {
    const waiting = this.#waitingForRoom;
    this.#waitingForRoom = [];
    for (const proceed of waiting) {
      proceed();
    }
  }
}

/** No client reads it. Proxies log it for a request whose client has gone. */
const clientClosedRequest = 499;

const encoder = new TextEncoder();

function eventOf(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

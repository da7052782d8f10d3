import type { Notification } from '../create-modern-server.ts';

/**
 * The response to one request: JSON if the answer is the first message, and a stream of events as soon as a notification comes before
 * it or the answer takes long.
 */
export class ResponseStream {
  /** Resolves when the head of the response is known. */
  readonly response: Promise<Response>;

  readonly #takesEvents: boolean;
  readonly #signal: AbortSignal;
  #hasEnded = false;
  #resolve: (response: Response) => void = () => undefined;
  #events: ReadableStreamDefaultController<Uint8Array> | null = null;
  #waitingForRoom: (() => void)[] = [];

  /**
   * Notifications to a client that takes no events are dropped, and its answer is JSON. An abort of `signal` ends the response without an
   * answer: its client has gone.
   */
  constructor(takesEvents: boolean, signal: AbortSignal) {
    this.#takesEvents = takesEvents;
    this.#signal = signal;
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    signal.addEventListener('abort', this.#close, { once: true });
    if (signal.aborted) {
      this.#close();
    }
  }

  /** Resolves when the client has room for more. */
  readonly send = async (notification: Notification): Promise<void> => {
    if (this.#takesEvents && !this.#hasEnded) {
      await this.#write(eventOf({ jsonrpc: '2.0', ...notification }));
    }
  };

  /** Sends the answer, and ends the response. `status` counts only if the answer is the first message. */
  end(message: object, status = 200): void {
    if (this.#hasEnded) {
      return;
    }
    if (this.#events === null) {
      this.#resolve(Response.json(message, { status }));
    } else {
      this.#events.enqueue(encoder.encode(eventOf(message)));
    }
    this.#close();
  }

  /** Keeps proxies from closing the stream. Does nothing if the client takes no events, or has not read the last comment. */
  sendComment(): void {
    if (this.#takesEvents && !this.#hasEnded && this.#waitingForRoom.length === 0) {
      void this.#write(': keep-alive\n\n');
    }
  }

  readonly #close = (): void => {
    if (this.#hasEnded) {
      return;
    }
    this.#hasEnded = true;
    this.#signal.removeEventListener('abort', this.#close);
    this.#resolve(new Response(null, { status: clientClosedRequest }));
    this.#events?.close();
    this.#proceed();
  };

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
        this.#hasEnded = true;
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

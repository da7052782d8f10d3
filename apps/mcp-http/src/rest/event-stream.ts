import type { Clock } from '@gemini-mcp/core';
import type { StreamEvent } from './call-body.ts';

export type EventStreamOptions = {
  readonly clock: Clock;
  /** Destroys the connection. Called where a reader leaves the end of a stream lying. */
  readonly cut: () => void;
  /** In UTF-16 code units, of text that the connection still has to take; 1 Mi when it is missing. */
  readonly maxUnsentCharacters?: number;
};

/** Proxies and clients give up on a connection that is silent for 30 s or 60 s. */
const keepAliveMs = 15_000;

/** Enough to read the megabyte that may lie there over a slow line. */
const lastReadMs = 30_000;

/**
 * Events for one reader. What is sent leaves at once, as far as the reader takes it; what he does not take is kept up to a bound,
 * and beyond it he is lost. Keeps a timer until it has ended or its reader has gone.
 */
export class EventStream {
  /** For the response. Its cancellation means that the reader has gone. */
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: Required<EventStreamOptions>;
  readonly #encoder = new TextEncoder();
  readonly #lost = new AbortController();
  /** Aborted when there will be nothing more to say. */
  readonly #ended = new AbortController();
  /** Aborted when the reader has all that was sent, or has gone. */
  readonly #done = new AbortController();
  #unsent = '';
  #isOverrun = false;
  #wake: () => void = () => undefined;

  constructor(options: EventStreamOptions) {
    this.#options = { maxUnsentCharacters: 1_048_576, ...options };
    const source = {
      pull: (controller: ReadableStreamDefaultController<Uint8Array>) => this.#pull(controller),
      cancel: () => this.#leave(),
    };
    // Nothing is taken before it is asked for: what is unsent is then known exactly.
    this.body = new ReadableStream(source, { highWaterMark: 0 });
    void this.#keepAlive();
  }

  /** Aborted when the client does not read, or not fast enough: the sender may stop. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Whether more was sent than the reader took. */
  get isOverrun(): boolean {
    return this.#isOverrun;
  }

  /** Never throws, never waits. What is sent to a lost reader is dropped. */
  send(event: StreamEvent): void {
    if (this.#lost.signal.aborted || this.#ended.signal.aborted) {
      return;
    }
    if (this.#unsent.length > this.#options.maxUnsentCharacters) {
      this.#isOverrun = true;
      this.#lost.abort();
      return;
    }
    this.#write(frameOf(event));
  }

  /** Sends the last events, after whatever is unsent, and closes the stream. */
  end(events: readonly StreamEvent[]): void {
    this.#ended.abort();
    this.#write(events.map(frameOf).join(''));
    void this.#cutWhenLeft();
  }

  #write(text: string): void {
    this.#unsent += text;
    this.#wake();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#unsent === '' && !this.#ended.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#done.signal.aborted) {
      return;
    }
    if (this.#unsent !== '') {
      controller.enqueue(this.#encoder.encode(this.#unsent));
      this.#unsent = '';
      return;
    }
    controller.close();
    this.#done.abort();
  }

  #leave(): void {
    this.#lost.abort();
    this.#ended.abort();
    this.#done.abort();
    this.#unsent = '';
    this.#wake();
  }

  async #keepAlive(): Promise<void> {
    while (await this.#sleep(keepAliveMs, this.#ended.signal)) {
      if (this.#unsent === '') {
        this.#write(': keep-alive\n\n');
      }
    }
  }

  async #cutWhenLeft(): Promise<void> {
    if (await this.#sleep(lastReadMs, this.#done.signal)) {
      this.#options.cut();
    }
  }

  /** Resolves to whether the time is over and the signal not aborted. */
  #sleep(durationMs: number, signal: AbortSignal): Promise<boolean> {
    return this.#options.clock.sleep(durationMs, signal).then(
      () => !signal.aborted,
      () => false,
    );
  }
}

/** JSON has no line ends of its own, so that one line carries it. */
function frameOf(event: StreamEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

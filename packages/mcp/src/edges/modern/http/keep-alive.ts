import type { Clock } from '@gemini-mcp/core';
import { sleepUnlessAborted } from '@gemini-mcp/core/internal';
import type { ResponseStream } from './response-stream.ts';

/** Proxies close a silent stream after 30 s or more; a stream gets its first comment after one to two intervals. */
const intervalMs = 10_000;

/** Sends comments to the open streams of an endpoint. One timer serves all of them: a timer for each would cost every short call. */
export class KeepAlive {
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  /** Whether each stream was open at the last beat. */
  readonly #streams = new Map<ResponseStream, boolean>();
  #isBeating = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(stream: ResponseStream): void {
    this.#streams.set(stream, false);
    if (!this.#isBeating) {
      this.#isBeating = true;
      void this.#beat();
    }
  }

  remove(stream: ResponseStream): void {
    this.#streams.delete(stream);
  }

  /** Stops the timer. */
  close(): void {
    this.#closing.abort();
  }

  async #beat(): Promise<void> {
    while (this.#streams.size > 0 && (await sleepUnlessAborted(this.#clock, intervalMs, this.#closing.signal))) {
      for (const [stream, wasOpen] of this.#streams) {
        this.#streams.set(stream, true);
        if (wasOpen) {
          stream.sendComment();
        }
      }
    }
    this.#isBeating = false;
  }
}

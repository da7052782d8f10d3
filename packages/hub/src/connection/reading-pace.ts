import { setTimeout as delay } from 'node:timers/promises';

/** The part of the time that reading one server may take, where it writes without end. */
const share = 0.25;

/** So much is read at once: an answer is not held up, and nothing else waits longer for its turn. */
const sliceMs = 10;

/** Long enough to bring down what a flood owes, short enough not to be noticed in an answer of megabytes. */
const longestRestMs = 50;

/** Has a server that writes without end read in slices, with pauses in which everything else goes on. */
export class ReadingPace {
  #owedMs = 0;
  #lookedAtMs: number = performance.now();
  #begunAtMs: number = performance.now();

  /** What is done from now on is reading. */
  begin(): void {
    this.#begunAtMs = performance.now();
  }

  /** Whether it is time to `rest`. */
  get isSpent(): boolean {
    const now = performance.now();
    const workedMs = now - this.#begunAtMs;
    this.#owedMs = Math.max(0, this.#owedMs - (now - this.#lookedAtMs) * share) + workedMs;
    this.#lookedAtMs = now;
    this.#begunAtMs = now;
    return this.#owedMs > sliceMs;
  }

  async rest(): Promise<void> {
    await delay(Math.min(this.#owedMs / share, longestRestMs));
    this.begin();
  }
}

/** The part of the time that reading strangers may take which write without end, all of them together. */
const share = 0.25;

/** So much is read at once: an answer is not held up, and nothing else waits longer for its turn. */
const sliceMs = 10;

/** Long enough to bring down what a flood owes, short enough not to be noticed in an answer of megabytes. */
const longestRestMs = 50;

/** Paces that rest in this process: as many share the part of the time. */
let resting = 0;

/** The time that reading takes, which is that of the machine. */
type ReadingTime = {
  readonly now: () => number;
  readonly sleep: (durationMs: number) => Promise<void>;
};

/** Has a stranger that writes without end read in slices, with pauses in which everything else goes on. All its streams share one pace. */
export class ReadingPace {
  readonly #time: ReadingTime;
  #owedMs = 0;
  #countedToMs: number;
  #rest: Promise<void> | null = null;

  constructor(time: ReadingTime) {
    this.#time = time;
    this.#countedToMs = time.now();
  }

  /** Counts the time since `sinceMs` as reading. Time that another stream has counted is not counted again. */
  count(sinceMs: number): void {
    const now = this.#time.now();
    const workedMs = Math.max(0, now - Math.max(sinceMs, this.#countedToMs));
    this.#pay(now);
    this.#owedMs += workedMs;
  }

  /** Whether it is time to `rest`. */
  get isSpent(): boolean {
    return this.#owedMs > sliceMs;
  }

  /** Streams that rest at the same time share one rest. */
  rest(): Promise<void> {
    this.#rest ??= this.#restOnce().finally(() => {
      this.#rest = null;
    });
    return this.#rest;
  }

  async #restOnce(): Promise<void> {
    resting += 1;
    await this.#time.sleep(resting * Math.min(this.#owedMs / share, longestRestMs)).finally(() => {
      this.#pay(this.#time.now());
      resting -= 1;
    });
  }

  #pay(now: number): void {
    this.#owedMs = Math.max(0, this.#owedMs - ((now - this.#countedToMs) * share) / Math.max(1, resting));
    this.#countedToMs = now;
  }
}

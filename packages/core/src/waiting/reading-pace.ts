/** The share of time for reading untrusted senders that write without end, all together. */
const share = 0.25;

/** Long enough not to delay an answer, short enough not to block anything else. */
const sliceMs = 10;

/** Long enough to pay back a flood, short enough to go unnoticed in an answer of megabytes. */
const longestRestMs = 50;

/** Number of resting paces in this process, which share the time. */
let resting = 0;

/** The time spent on reading, shared by the whole machine. */
type ReadingTime = {
  readonly now: () => number;
  readonly sleep: (durationMs: number) => Promise<void>;
};

/** Reads a sender that writes without end in slices, with pauses in which everything else runs. All its streams share one pace. */
export class ReadingPace {
  readonly #time: ReadingTime;
  #owedMs = 0;
  #countedToMs: number;
  #rest: Promise<void> | null = null;

  constructor(time: ReadingTime) {
    this.#time = time;
    this.#countedToMs = time.now();
  }

  /** Counts the time since `sinceMs` as reading. Overlapping time of another stream is not counted again. */
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

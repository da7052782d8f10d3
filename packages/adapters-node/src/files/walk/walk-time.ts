import type { TimeSlices } from '../time-slices.ts';

/** For all walks of a call: sorting and reading what they found takes about as long again where somebody names a whole disk. */
const walkTimeMs = 1_000;

/** The time that the walks of one call may take together. What passes between them does not count. */
export class WalkTime {
  readonly #slices: TimeSlices;
  #leftMs = walkTimeMs;
  #startedAtMs: number | null = null;

  constructor(slices: TimeSlices) {
    this.#slices = slices;
  }

  get isUsedUp(): boolean {
    return this.#passedMs() >= this.#leftMs;
  }

  /** Counts the time of a walk. */
  async spend<Value>(walk: () => Promise<Value>): Promise<Value> {
    this.#startedAtMs = this.#slices.nowMs;
    try {
      return await walk();
    } finally {
      this.#leftMs -= this.#passedMs();
      this.#startedAtMs = null;
    }
  }

  #passedMs(): number {
    return this.#startedAtMs === null ? 0 : this.#slices.nowMs - this.#startedAtMs;
  }
}

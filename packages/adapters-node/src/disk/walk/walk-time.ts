import type { TimeSlices } from '../time-slices.ts';

/** With the rests between slices about twice as long; for a whole disk, sorting and reading the results adds about as much again. */
const walkTimeMs = 600;

/** More entries than most projects have outside the skip list, so neither a busy machine nor a slow disk cuts an ordinary walk short. */
const unboundedEntries = 20_000;

/**
 * The time that the walks of one call may take together once they have listed more than an ordinary project has. Only the call's own slices
 * count: it is not at fault for waiting while other calls have theirs.
 */
export class WalkTime {
  readonly #slices: Pick<TimeSlices, 'workedMs'>;
  #leftMs = walkTimeMs;
  #leftEntries = unboundedEntries;
  #startedAtMs: number | null = null;

  constructor(slices: Pick<TimeSlices, 'workedMs'>) {
    this.#slices = slices;
  }

  get isUsedUp(): boolean {
    return this.#leftEntries <= 0 && this.#passedMs() >= this.#leftMs;
  }

  /** Counts entries that a walk has listed. */
  countEntries(entries: number): void {
    this.#leftEntries -= entries;
  }

  /** Counts the time of a walk. Time between walks does not count. */
  async spend<Value>(walk: () => Promise<Value>): Promise<Value> {
    this.#startedAtMs = this.#slices.workedMs;
    try {
      return await walk();
    } finally {
      this.#leftMs -= this.#passedMs();
      this.#startedAtMs = null;
    }
  }

  #passedMs(): number {
    return this.#startedAtMs === null ? 0 : this.#slices.workedMs - this.#startedAtMs;
  }
}

import type { TimeSlices } from '../time-slices.ts';

/** With the rests between slices about twice as long; sorting and reading what was found adds about as much where it is a whole disk. */
const walkTimeMs = 600;

/** More than most projects have outside of what walks skip. So no load of the machine and no slow disk cuts an ordinary walk. */
const unboundedEntries = 20_000;

/**
 * The time that the walks of one call may take together once they have listed more than an ordinary project has. Only the
 * call's own slices count: while other calls have theirs, it waits through no fault of its own.
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

  /** Counts what a walk has listed. */
  countEntries(entries: number): void {
    this.#leftEntries -= entries;
  }

  /** Counts the time of a walk. What the call does between its walks does not count. */
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

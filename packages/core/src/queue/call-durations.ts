/** What a call commonly takes; believed until one has ended. */
const assumedMs = 20_000;

/** How much of the average the latest call makes up: after ten, what was assumed counts for a tenth. */
const weightOfLatest = 0.2;

/** How long calls take of late, as one number: the newer a call, the more it counts. */
export class CallDurations {
  #averageMs = assumedMs;

  get averageMs(): number {
    return this.#averageMs;
  }

  record(durationMs: number): void {
    this.#averageMs += (durationMs - this.#averageMs) * weightOfLatest;
  }
}

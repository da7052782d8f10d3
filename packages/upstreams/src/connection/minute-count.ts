const minuteMs = 60_000;

/** Counts what comes within a minute. A new minute begins with the first that comes after the last one. */
export class MinuteCount {
  #sinceMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** Counts one more, and returns how many came in this minute. */
  add(): number {
    const now = performance.now();
    if (now - this.#sinceMs > minuteMs) {
      this.#sinceMs = now;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count;
  }
}

const minuteMs = 60_000;

/** Counts events per minute. A new minute begins with the first event after the last one ended. */
export class MinuteCount {
  #sinceMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** Counts one event and returns the count of this minute. */
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

/** Runs the work of each owner one at a time, in order of arrival; different owners run concurrently. */
export class OwnerTurns {
  /** The promise that each owner's next work waits for. Holds only owners with work. */
  readonly #last = new Map<string, Promise<void>>();

  /** Settles as `act` does, regardless of the outcome of earlier work. */
  take<Result>(owner: string, act: () => Promise<Result>): Promise<Result> {
    const done = (this.#last.get(owner) ?? Promise.resolve()).then(act);
    const ended = done.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(owner, ended);
    void ended.then(() => {
      if (this.#last.get(owner) === ended) {
        this.#last.delete(owner);
      }
    });
    return done;
  }
}

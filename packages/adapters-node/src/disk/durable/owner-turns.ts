/** Does the work of each owner one after the other, in the order in which it comes, and that of several owners at once. */
export class OwnerTurns {
  /** What each owner's next work waits for; owners without work are not in it. */
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves or rejects as `act` does, whatever became of the work before it. */
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

/** Wakes all who wait for something to change; who comes later waits for the next change. */
export class ChangeBell {
  #waiters: (() => void)[] = [];

  rung(): Promise<null> {
    return new Promise((resolve) => this.#waiters.push(() => resolve(null)));
  }

  ring(): void {
    for (const wake of this.#waiters.splice(0)) {
      wake();
    }
  }
}

/** One line of waiting entries an owner, served in turn. */
export class WaitingLines<Entry> {
  /** In the order of their turns; no line is empty. */
  readonly #lines = new Map<string, Entry[]>();
  #length = 0;

  /** Over all lines. */
  get length(): number {
    return this.#length;
  }

  lengthOf(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  /** How many owners have entries that wait. */
  get owners(): number {
    return this.#lines.size;
  }

  /** How many would be taken before an entry that joined its owner's line now, if no other joined after it. */
  aheadOfNext(owner: string): number {
    const own = this.lengthOf(owner);
    let ahead = own;
    // Who has a turn before this owner in each round has one more than who has it after; a new owner's turn is the last.
    let turnsOfOthers = own + 1;
    for (const [other, line] of this.#lines) {
      if (other === owner) {
        turnsOfOthers = own;
      } else {
        ahead += Math.min(line.length, turnsOfOthers);
      }
    }
    return ahead;
  }

  join(owner: string, entry: Entry): void {
    const line = this.#lines.get(owner);
    this.#length += 1;
    if (line === undefined) {
      this.#lines.set(owner, [entry]);
    } else {
      line.push(entry);
    }
  }

  /** Takes out an entry that no longer wants its turn. */
  remove(owner: string, entry: Entry): void {
    const line = this.#lines.get(owner);
    const index = line?.indexOf(entry) ?? -1;
    if (line === undefined || index < 0) {
      return;
    }
    line.splice(index, 1);
    this.#length -= 1;
    if (line.length === 0) {
      this.#lines.delete(owner);
    }
  }

  /**
   * The first of the line whose turn it is, among the owners that may have one; its owner's next turn comes after everybody
   * else's. Owners that are passed over keep their turns.
   */
  takeNext(mayTake: (owner: string) => boolean): Entry | undefined {
    for (const [owner, line] of this.#lines) {
      if (!mayTake(owner)) {
        continue;
      }
      const entry = line.shift();
      this.#length -= 1;
      this.#lines.delete(owner);
      if (line.length > 0) {
        this.#lines.set(owner, line);
      }
      return entry;
    }
    return undefined;
  }
}

/** Things by who holds them, each in the order in which it came to its holder. */
export class Holders<Thing> {
  readonly #things = new Map<string, Set<Thing>>();

  /** How many holders there are. */
  get size(): number {
    return this.#things.size;
  }

  /** Makes a thing the last one of its holder, also one that the holder has already. */
  add(holder: string, thing: Thing): void {
    const held = this.#things.get(holder) ?? new Set();
    held.delete(thing);
    this.#things.set(holder, held.add(thing));
  }

  remove(holder: string, thing: Thing): void {
    const held = this.#things.get(holder);
    held?.delete(thing);
    if (held?.size === 0) {
      this.#things.delete(holder);
    }
  }

  /**
   * The things of the holder that has most of them, as if `newcomer` had one more; none where nothing is held. `isBefore`
   * decides between holders of equally many by the first thing of each.
   */
  largest(newcomer: string | null, isBefore: (one: Thing, other: Thing) => boolean): readonly Thing[] {
    let best: { readonly count: number; readonly held: Set<Thing>; readonly first: Thing } | null = null;
    for (const [holder, held] of this.#things) {
      const count = held.size + (holder === newcomer ? 1 : 0);
      const [first] = held;
      if (
        first !== undefined &&
        (best === null || count > best.count || (count === best.count && isBefore(first, best.first)))
      ) {
        best = { count, held, first };
      }
    }
    return best === null ? [] : [...best.held];
  }
}

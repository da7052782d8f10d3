export type RecentlyUsedOptions<Thing> = {
  /** This many are kept in any case; more only while they may not be removed. */
  readonly max: number;
  /** Whether a thing may be removed now; always, if missing. */
  readonly mayGo?: (thing: Thing) => boolean;
  /** Called for each removed thing. */
  readonly onGone?: (thing: Thing) => void;
};

/** Things by name. A new one displaces the least recently used ones that may be removed, until there is room. */
export class RecentlyUsed<Thing> {
  readonly #options: RecentlyUsedOptions<Thing>;
  /** The most recently used one is last. */
  readonly #things = new Map<string, Thing>();

  constructor(options: RecentlyUsedOptions<Thing>) {
    this.#options = options;
  }

  get size(): number {
    return this.#things.size;
  }

  values(): Iterable<Thing> {
    return this.#things.values();
  }

  /** The thing with this name, or undefined. Does not count as use. */
  peek(name: string): Thing | undefined {
    return this.#things.get(name);
  }

  /** The thing with this name, created if missing. Counts as use. */
  use(name: string, make: () => Thing): Thing {
    const known = this.#things.get(name);
    if (known !== undefined) {
      this.#things.delete(name);
      this.#things.set(name, known);
      return known;
    }
    this.#makeRoom();
    const made = make();
    this.#things.set(name, made);
    return made;
  }

  #makeRoom(): void {
    const { max, mayGo = () => true, onGone } = this.#options;
    for (const [name, thing] of this.#things) {
      if (this.#things.size < max) {
        return;
      }
      if (mayGo(thing)) {
        this.#things.delete(name);
        onGone?.(thing);
      }
    }
  }
}

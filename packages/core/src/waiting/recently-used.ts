export type RecentlyUsedOptions<Thing> = {
  /** So many are held whatever they do; more only while they may not go. */
  readonly max: number;
  /** Whether a thing may go now; all may when it is missing. */
  readonly mayGo?: (thing: Thing) => boolean;
  /** Told of each that has gone. */
  readonly onGone?: (thing: Thing) => void;
};

/** Things by the names of their owners. When another one comes, those go that were used the longest ago and may go, until there is room. */
export class RecentlyUsed<Thing> {
  readonly #options: RecentlyUsedOptions<Thing>;
  /** The one that was used last is the last. */
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

  /** The thing of this name, which is no use of it; undefined where there is none. */
  peek(name: string): Thing | undefined {
    return this.#things.get(name);
  }

  /** The thing of this name, made where there is none. It is used by this. */
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

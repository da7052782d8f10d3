/** Opens something on first use. If that fails, as it can without free descriptors, the next use tries again. */
export class Lazy<Thing> {
  readonly #open: () => Promise<Thing>;
  #opening: Promise<Thing> | undefined;

  constructor(open: () => Promise<Thing>) {
    this.#open = open;
  }

  async get(): Promise<Thing> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return await this.#opening;
  }

  /** Waits for an opening that is under way. Null if nothing is open. Never rejects. */
  async opened(): Promise<Thing | null> {
    return (await this.#opening?.catch(() => null)) ?? null;
  }
}

/**
 * What speaks with other servers is a file of its own in the bundle: no server loads it that has none to speak with. Where it could not be loaded,
 * such as for want of descriptors, the bundle loads it again with the next use. From source it fails for good: Node keeps the failure of each
 * module by its own address, and a new address for the first one would not help the others, nor make one copy of them.
 */
export async function loadUpstreamsLibrary(): Promise<typeof import('@gemini-mcp/upstreams')> {
  return await import('@gemini-mcp/upstreams');
}

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

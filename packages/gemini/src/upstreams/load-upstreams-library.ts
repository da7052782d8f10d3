/**
 * The code for upstreams is a separate file in the bundle, so that servers without upstreams do not load it. If loading
 * fails, for example without descriptors, the bundle retries it at the next use. From source it fails forever: Node keeps
 * the failure of each module by its own address, and a new address for the first one would neither help the others nor avoid
 * copies of them.
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

/** No run looks at more files than this; one that does has to view them again before it replaces them. */
const maxFiles = 100_000;

/** What a run last saw in files: hashes by real paths. */
export class SeenFiles {
  readonly #hashes = new Map<string, string>();

  /** Null for a file that was not seen. */
  hashOf(realPath: string): string | null {
    return this.#hashes.get(realPath) ?? null;
  }

  see(realPath: string, hash: string): void {
    this.#hashes.delete(realPath);
    this.#hashes.set(realPath, hash);
    const [oldest] = this.#hashes.keys();
    if (this.#hashes.size > maxFiles && oldest !== undefined) {
      this.#hashes.delete(oldest);
    }
  }

  /** The run has noticed that there is no such file. */
  forget(realPath: string): void {
    this.#hashes.delete(realPath);
  }
}

/** Keeps the end of a byte stream and counts all of it. */
export class TailBuffer {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #keptBytes = 0;
  #totalBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  push(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    this.#chunks.push(chunk);
    this.#keptBytes += chunk.length;
    while (this.#keptBytes - (this.#chunks[0]?.length ?? 0) >= this.#maxBytes) {
      this.#keptBytes -= this.#chunks.shift()?.length ?? 0;
    }
  }

  /** The last bytes as text; a character that the cut went through becomes U+FFFD. */
  text(): string {
    return Buffer.concat(this.#chunks).subarray(-this.#maxBytes).toString('utf8');
  }
}

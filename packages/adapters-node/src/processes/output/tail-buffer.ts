/** Keeps the end of a byte stream and counts all of it. Costs the same however small the chunks are. */
export class TailBuffer {
  readonly #ring: Buffer;
  #next = 0;
  #totalBytes = 0;

  /** `maxBytes` is at least 1. */
  constructor(maxBytes: number) {
    this.#ring = Buffer.alloc(maxBytes);
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Whether the beginning is missing. */
  get isCut(): boolean {
    return this.#totalBytes > this.#ring.length;
  }

  push(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    const tail = chunk.subarray(Math.max(0, chunk.length - this.#ring.length));
    const copied = tail.copy(this.#ring, this.#next);
    tail.copy(this.#ring, 0, copied);
    this.#next = (this.#next + tail.length) % this.#ring.length;
  }

  /** The last bytes as text; a character split by the cut becomes U+FFFD. */
  text(): string {
    const older = this.isCut ? this.#ring.subarray(this.#next) : Buffer.alloc(0);
    const newer = this.#totalBytes === this.#ring.length ? this.#ring : this.#ring.subarray(0, this.#next);
    return Buffer.concat([older, newer]).toString('utf8');
  }
}

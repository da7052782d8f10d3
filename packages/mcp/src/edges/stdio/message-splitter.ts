const newline = 0x0a;
const firstCapacityBytes = 64 * 1024;

/**
 * Cuts a byte stream into lines. Searches each chunk once and copies a partial line into a buffer that doubles, so that the cost
 * stays linear for any chunking, and the memory stays near the longest line.
 */
export class MessageSplitter {
  readonly #maxLineBytes: number;
  #partial: Buffer = Buffer.alloc(0);
  #partialBytes = 0;

  constructor(options: { readonly maxLineBytes: number }) {
    this.#maxLineBytes = options.maxLineBytes;
  }

  /**
   * Calls `onLine` for each line that the chunk completes, without its newline; the bytes are valid during the call only.
   * Returns false as soon as a line is longer than the limit; the splitter is unusable from then on.
   */
  push(chunk: Buffer, onLine: (line: Buffer) => void): boolean {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const rest = chunk.subarray(start, end);
      if (!this.#fits(rest)) {
        return false;
      }
      onLine(this.#complete(rest));
      start = end + 1;
    }
    return this.#keep(chunk.subarray(start));
  }

  #complete(rest: Buffer): Buffer {
    if (this.#partialBytes === 0) {
      return rest;
    }
    this.#append(rest);
    const line = this.#partial.subarray(0, this.#partialBytes);
    this.#partialBytes = 0;
    if (this.#partial.length > firstCapacityBytes) {
      this.#partial = Buffer.alloc(0);
    }
    return line;
  }

  #keep(rest: Buffer): boolean {
    if (!this.#fits(rest)) {
      return false;
    }
    this.#append(rest);
    return true;
  }

  #fits(more: Buffer): boolean {
    return this.#partialBytes + more.length <= this.#maxLineBytes;
  }

  #append(more: Buffer): void {
    const needed = this.#partialBytes + more.length;
    if (needed > this.#partial.length) {
      const capacity = Math.max(firstCapacityBytes, this.#partial.length * 2, needed);
      const grown = Buffer.allocUnsafeSlow(Math.min(capacity, this.#maxLineBytes));
      this.#partial.copy(grown, 0, 0, this.#partialBytes);
      this.#partial = grown;
    }
    more.copy(this.#partial, this.#partialBytes);
    this.#partialBytes = needed;
  }
}

const lineFeed = 0x0a;

/** Room for the beginning of an ordinary line. */
const smallestHeldBytes = 4_096;

export type LineSplitterOptions = {
  /** A longer line is not kept: it counts as overlong, and the rest up to the next line end is skipped. */
  readonly maxLineBytes: number;
  /** Called once for each line that outgrows `headBytes`: true drops the line. */
  readonly isUnwanted?: (head: Buffer) => boolean;
  /** At most `maxLineBytes`. */
  readonly headBytes?: number;
};

/**
 * Splits a byte stream into lines, however it is chunked. Drops empty lines: they carry nothing, and a flood of them would cost more than
 * one of text.
 */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  /** An incomplete line. Grows by doubling, so that tiny chunks cost no more than large ones. */
  #held: Buffer = Buffer.alloc(0);
  #heldBytes = 0;
  #headChecked = false;
  #skipping = false;
  #overlongLines = 0;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  /** The number of lines dropped for their length. */
  get overlongLines(): number {
    return this.#overlongLines;
  }

  /** The lines that `chunk` completes, without their line ends. Lines that lie entirely in it share its memory. */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      if (end > start || this.#isMidLine) {
        this.#takeLine(chunk.subarray(start, end), lines);
      }
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    return lines;
  }

  /** The text after the last line end. */
  end(): Buffer[] {
    const lines: Buffer[] = [];
    this.#takeLine(Buffer.alloc(0), lines);
    return lines;
  }

  get #isMidLine(): boolean {
    return this.#heldBytes > 0 || this.#skipping;
  }

  #takeLine(rest: Buffer, lines: Buffer[]): void {
    if (this.#isMidLine) {
      this.#hold(rest);
      if (!this.#skipping) {
        lines.push(this.#held.subarray(0, this.#heldBytes));
      }
    } else if (rest.length > 0 && !this.#isDropped(rest)) {
      lines.push(rest);
    }
    this.#held = Buffer.alloc(0);
    this.#heldBytes = 0;
    this.#headChecked = false;
    this.#skipping = false;
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0 || this.#skipping) {
      return;
    }
    this.#makeRoom(this.#heldBytes + piece.length);
    piece.copy(this.#held, this.#heldBytes);
    this.#heldBytes += piece.length;
    if (this.#isDropped(this.#held.subarray(0, this.#heldBytes))) {
      this.#skipping = true;
      this.#held = Buffer.alloc(0);
      this.#heldBytes = 0;
    }
  }

  #makeRoom(bytes: number): void {
    if (bytes > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.max(bytes, this.#held.length * 2, smallestHeldBytes));
      this.#held.copy(larger, 0, 0, this.#heldBytes);
      this.#held = larger;
    }
  }

  /** Judges a line by the part that has arrived. */
  #isDropped(line: Buffer): boolean {
    const { isUnwanted, headBytes = 4096, maxLineBytes } = this.#options;
    if (line.length > headBytes && !this.#headChecked) {
      this.#headChecked = true;
      if (isUnwanted?.(line.subarray(0, headBytes)) === true) {
        return true;
      }
    }
    if (line.length > maxLineBytes) {
      this.#overlongLines += 1;
      return true;
    }
    return false;
  }
}

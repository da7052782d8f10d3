const lineFeed = 0x0a;

export type LineSplitterOptions = {
  /** A longer line is not kept: it counts as overlong, and its rest is skipped up to the next line end. */
  readonly maxLineBytes: number;
  /** Asked once for each line that outgrows `headBytes`: true drops the line without keeping it. */
  readonly isUnwanted?: (head: Buffer) => boolean;
  readonly headBytes?: number;
};

/** Cuts a byte stream into lines, whatever the chunks; copies each line at most once. */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #skipping = false;
  #headChecked = false;
  #overlongLines = 0;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  /** Lines that were dropped for their length. */
  get overlongLines(): number {
    return this.#overlongLines;
  }

  /** The lines that `chunk` completes, without their line ends. */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#takeLine(lines);
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  /** What stands behind the last line end. */
  end(): Buffer[] {
    const lines: Buffer[] = [];
    if (this.#pieceBytes > 0) {
      this.#takeLine(lines);
    }
    return lines;
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0 || this.#skipping) {
      return;
    }
    this.#pieces.push(piece);
    this.#pieceBytes += piece.length;
    this.#dropUnwanted();
    if (this.#pieceBytes > this.#options.maxLineBytes) {
      this.#overlongLines += 1;
      this.#skip();
    }
  }

  #dropUnwanted(): void {
    const { isUnwanted, headBytes = 4096 } = this.#options;
    if (isUnwanted === undefined || this.#headChecked || this.#pieceBytes <= headBytes) {
      return;
    }
    this.#headChecked = true;
    if (isUnwanted(Buffer.concat(this.#pieces).subarray(0, headBytes))) {
      this.#skip();
    }
  }

  #skip(): void {
    this.#skipping = true;
    this.#pieces = [];
    this.#pieceBytes = 0;
  }

  #takeLine(lines: Buffer[]): void {
    if (!this.#skipping) {
      const [only] = this.#pieces;
      lines.push(this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces));
    }
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.#skipping = false;
    this.#headChecked = false;
  }
}

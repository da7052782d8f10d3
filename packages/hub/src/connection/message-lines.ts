const lineFeed = 0x0a;

/** Of a line that is too long, enough at either end to find the id of an answer: servers write it first or last. */
const keptBytes = 512;

export type MessageLine =
  | { readonly type: 'line'; readonly text: string }
  /** Longer than allowed, and dropped. `answerTo` is the request that it answers, where that can be seen. */
  | { readonly type: 'overlong'; readonly answerTo: number | null };

/** Cuts what a server writes into lines, whatever the pieces; empty lines are left out. Holds one line at most, of the longest length. */
export class MessageLines {
  readonly #maxLineBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** The beginning of a line that is being dropped. */
  #head: Buffer | null = null;
  #tail: Buffer = Buffer.alloc(0);

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The lines that the chunk completes, each made when it is asked for. All of them are to be taken before the next chunk. */
  *push(chunk: Uint8Array): Generator<MessageLine> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      this.#hold(bytes.subarray(start, end));
      start = end + 1;
      const line = this.#finish();
      if (line !== null) {
        yield line;
      }
    }
    this.#hold(bytes.subarray(start));
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0) {
      return;
    }
    this.#bytes += piece.length;
    if (this.#head === null && this.#bytes > this.#maxLineBytes) {
      this.#head = Buffer.concat([...this.#pieces, piece.subarray(0, keptBytes)]).subarray(0, keptBytes);
      this.#pieces = [];
    }
    if (this.#head === null) {
      this.#pieces.push(piece);
    } else {
      this.#tail = Buffer.concat([this.#tail, piece.subarray(-keptBytes)]).subarray(-keptBytes);
    }
  }

  #finish(): MessageLine | null {
    const [head, pieces, tail] = [this.#head, this.#pieces, this.#tail];
    this.#pieces = [];
    this.#bytes = 0;
    this.#head = null;
    this.#tail = Buffer.alloc(0);
    if (head !== null) {
      return { type: 'overlong', answerTo: findAnsweredId(head.toString('latin1'), tail.toString('latin1')) };
    }
    const text = Buffer.concat(pieces).toString('utf8').trim();
    return text === '' ? null : { type: 'line', text };
  }
}

/** The number of the request that a message answers, from its two ends: only members of the message itself count, not what is in it. */
function findAnsweredId(head: string, tail: string): number | null {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,(?!\s*"method")/.exec(head);
  const last =
    /[}\]"]\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(
      tail,
    );
  const id = first?.[1] ?? last?.[1];
  return id === undefined ? null : Number(id);
}

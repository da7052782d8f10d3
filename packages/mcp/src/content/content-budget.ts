import { byteEnd, escapeControls, formatCount, maxResultBytes, utf8Length } from '@gemini-mcp/core/internal';

/**
 * Limits of one result. The API of Claude Code refuses an image of more than 5 MB in Base64 or more than 8,000 pixels on a side,
 * and then the whole conversation that holds it. SDK clients over stdio close the connection on a message of more than 10 MB.
 */
export const contentLimits = {
  blocks: 50,
  /** Decoded: 5,000,000 characters of Base64. */
  bytesOfBlock: 3_750_000,
  /** Decoded, all blocks together: 8,000,000 characters of Base64. */
  bytes: 6_000_000,
  pixelsOfSide: 8_000,
  nameCharacters: 200,
  descriptionCharacters: 1_000,
} as const;

/** Reserves bytes for the last note, which says that the rest is left out. */
const lastNoteBytes = 200;

const lastNote = `[The rest of the text is left out: a result has ${formatCount(maxResultBytes)} bytes of text at most.]`;

/** Counts how much of a result is used, and cuts the text beyond the limit. */
export class ContentBudget {
  #textBytes: number;
  #bytes: number = contentLimits.bytes;
  #isFull = false;

  /** `usedBytes` of text count as used from the start. */
  constructor(usedBytes: number) {
    this.#textBytes = Math.max(0, maxResultBytes - lastNoteBytes - usedBytes);
  }

  /** Escapes a stranger's text and cuts it to the remaining bytes. Null if not even a note fits. */
  takeText(text: string): string | null {
    // Cut before escaping too: the text may have any length.
    const end = byteEnd(text, 0, this.#textBytes);
    return this.#take(escapeControls(text.slice(0, end)), end < text.length);
  }

  /** The same for our own text, which is safe to show. */
  takeNote(note: string): string | null {
    return this.#take(note, false);
  }

  /** Reserves this many bytes for images, sounds and documents. False if they do not fit. */
  takeBytes(bytes: number): boolean {
    const fits = bytes <= this.#bytes;
    this.#bytes -= fits ? bytes : 0;
    return fits;
  }

  /** Reserves bytes for a text that is useless when cut, such as an address. False if it does not fit. */
  takeWhole(text: string): boolean {
    const bytes = utf8Length(text);
    const fits = !this.#isFull && bytes <= this.#textBytes;
    this.#textBytes -= fits ? bytes : 0;
    return fits;
  }

  #take(shown: string, isCut: boolean): string | null {
    if (this.#isFull) {
      return null;
    }
    const part = shown.slice(0, byteEnd(shown, 0, this.#textBytes));
    this.#textBytes -= utf8Length(part);
    this.#isFull = isCut || part.length < shown.length;
    return this.#isFull ? `${part}\n${lastNote}`.trimStart() : part;
  }
}

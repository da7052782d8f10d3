import { byteEnd, escapeControls, formatCount, maxResultBytes, utf8Length } from '@gemini-mcp/core/internal';

/**
 * Bounds of one result. The API of Claude Code refuses an image of more than 5 MB in Base64, or of more than 8,000 pixels on a side,
 * and with it the whole conversation that has it. Clients on the SDK close a connection over stdio on which a message of more than
 * 10 MB comes.
 */
export const contentLimits = {
  blocks: 50,
  /** Decoded: 5,000,000 characters of Base64. */
  bytesOfBlock: 3_750_000,
  /** Decoded, of all blocks together: 8,000,000 characters of Base64. */
  bytes: 6_000_000,
  pixelsOfSide: 8_000,
  nameCharacters: 200,
  descriptionCharacters: 1_000,
} as const;

/** Room for the last note, that there was no more room. */
const lastNoteBytes = 200;

const lastNote = `[The rest of the text is left out: a result has ${formatCount(maxResultBytes)} bytes of text at most.]`;

/** Counts how much of a result is used, and cuts what goes beyond. */
export class ContentBudget {
  #textBytes: number;
  #bytes: number = contentLimits.bytes;
  #isFull = false;

  /** `usedBytes` of the text are taken already. */
  constructor(usedBytes: number) {
    this.#textBytes = Math.max(0, maxResultBytes - lastNoteBytes - usedBytes);
  }

  /** A stranger's text as it is shown, as much of it as there is room for. Null where none is left, not even for a note on that. */
  takeText(text: string): string | null {
    // Cut before it is escaped as well: it may have any length.
    const end = byteEnd(text, 0, this.#textBytes);
    return this.#take(escapeControls(text.slice(0, end)), end < text.length);
  }

  /** The same for words of ours, which are safe to show. */
  takeNote(note: string): string | null {
    return this.#take(note, false);
  }

  /** Whether there is room for so many bytes of images, sounds and documents. They are taken then. */
  takeBytes(bytes: number): boolean {
    const fits = bytes <= this.#bytes;
    this.#bytes -= fits ? bytes : 0;
    return fits;
  }

  /** The same for a text that is whole or useless, such as an address. */
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

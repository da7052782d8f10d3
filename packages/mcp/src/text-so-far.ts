import { countOf } from '@gemini-mcp/core/internal';
import { toLine } from './to-line.ts';

/** Of the last line, its end: with model and count it then fits on one line of a terminal. */
const maxLineCharacters = 100;

const lineEnds = /\r\n?|[\n\u2028\u2029]/u;

/** Half a character may still get its other half, so it counts as visible here. */
const visible = /[^\s\p{Cc}\p{Cf}]/u;

/** What a progress message says of the text that has come: how much, and its last line. Keeps that line's end and nothing else. */
export class TextSoFar {
  #characters = 0;
  #line = '';
  #isLineOver = false;
  #isLineCut = false;

  push(piece: string): void {
    this.#characters += piece.length;
    for (const [index, part] of piece.split(lineEnds).entries()) {
      this.#isLineOver ||= index > 0;
      this.#append(part);
    }
  }

  /** `1,234 characters · …the end of the last line`, and `note` between the two where there is one. On one line. */
  describe(note: string | null): string {
    const shown = `${this.#isLineCut ? '…' : ''}${toLine(this.#line)}`;
    return [countOf(this.#characters, 'character'), note, shown].filter((part) => part).join(' · ');
  }

  #append(part: string): void {
    // The last line that says something is more telling than an empty one after it.
    if (this.#isLineOver && !visible.test(part)) {
      return;
    }
    const line = this.#isLineOver ? part : this.#line + part;
    this.#isLineCut = line.length > maxLineCharacters || (this.#isLineCut && !this.#isLineOver);
    this.#line = line.slice(-maxLineCharacters);
    this.#isLineOver = false;
  }
}

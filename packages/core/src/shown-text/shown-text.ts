import { EscapedControls } from './escape-controls.ts';
import { kindOfLine, type LineKind, lineHeadCharacters, mayBecomeOurs } from './looks-like-ours.ts';

export type ShownTextOptions = {
  /** Whether characters that may act on a terminal stay as they are. */
  readonly keepsControls: boolean;
};

const lineFeed = 0x0a;

/** Put before a line of Gemini's that would be taken for one of ours, as before every line that we quote. */
const mark = '| ';

/**
 * Text of Gemini's as a client is shown it, piece by piece as it comes: `escapeControls`, and a mark before each line that looks like
 * one of ours. The pieces together are what the whole text gives at once, however it was cut.
 */
export class ShownText {
  readonly #controls: EscapedControls | null;
  /** Of a line whose beginning does not yet say whose it looks like. */
  #head = '';
  #isInLine = false;
  #before: LineKind = 'other';

  constructor({ keepsControls }: ShownTextOptions) {
    this.#controls = keepsControls ? null : new EscapedControls();
  }

  /** What can be shown by now. */
  push(piece: string): string {
    return this.#mark(this.#controls?.push(piece) ?? piece, false);
  }

  /** The rest, when no more comes. */
  end(): string {
    return this.#mark(this.#controls?.end() ?? '', true);
  }

  #mark(piece: string, isWhole: boolean): string {
    const text = this.#head + piece;
    this.#head = '';
    const shown: string[] = [];
    let shownTo = 0;
    for (let place = this.#skipLine(text); place < text.length; ) {
      if (text.charCodeAt(place) === lineFeed) {
        place += 1;
        continue;
      }
      const end = endOfLine(text, place);
      const isCut = !isWhole && end === text.length && !text.endsWith('\n');
      if (isCut && end - place < lineHeadCharacters && mayBecomeOurs(text.slice(place))) {
        this.#head = text.slice(place);
        break;
      }
      if (this.#isForged(text.slice(place, Math.min(end, place + lineHeadCharacters)))) {
        shown.push(text.slice(shownTo, place), mark);
        shownTo = place;
      }
      this.#isInLine = end === text.length && !text.endsWith('\n');
      place = end;
    }
    return shown.join('') + text.slice(shownTo, text.length - this.#head.length);
  }

  /** Where the first line begins that is not the rest of one whose beginning was shown. */
  #skipLine(text: string): number {
    if (!this.#isInLine || text === '') {
      return 0;
    }
    const end = endOfLine(text, 0);
    this.#isInLine = end === text.length && !text.endsWith('\n');
    return end;
  }

  #isForged(head: string): boolean {
    const kind = kindOfLine(head);
    if (kind === 'blank') {
      return false;
    }
    const isForged =
      kind === 'ours' || (kind === 'label' && this.#before !== 'other') || (kind === 'item' && this.#before === 'ours');
    this.#before = isForged ? 'ours' : kind === 'rule' ? 'rule' : 'other';
    return isForged;
  }
}

/** After the line end, or at the end of the text. */
function endOfLine(text: string, place: number): number {
  const end = text.indexOf('\n', place);
  return end === -1 ? text.length : end + 1;
}

/** A whole text of Gemini's as a client is shown it. What was shown once is shown the same again. */
export function showText(text: string, options: ShownTextOptions): string {
  const shown = new ShownText(options);
  return shown.push(text) + shown.end();
}

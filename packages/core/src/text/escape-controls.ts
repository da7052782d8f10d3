import { splitsSurrogatePair } from './splits-surrogate-pair.ts';
import { characterEnd } from './truncate-text.ts';

/**
 * Characters that may act on a terminal or are invisible: controls (escape sequences begin with one), direction marks, characters without width or
 * with hidden data, and lone surrogates. `isKept` exempts those that scripts need.
 */
export const suspicious: RegExp =
  /(?![\t\n])\p{Cc}|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/u;
const eachSuspicious = new RegExp(suspicious, 'gu');

/** A text with more of them is binary: from here on each becomes a single character, so that ten megabytes do not become ninety. */
const maxEscapes = 100_000;

/** A text with more characters to judge is binary as well, and judging each takes a microsecond. */
const maxJudged = 1_000_000;

/** The limits are checked after this many units. */
const stretchUnits = 65_536;

/** The context that decides about a character is never longer: a flag has 16 units. */
const contextUnits = 20;

/**
 * Makes characters that act on a terminal or are invisible visible as `\u{1b}`. Keeps tabs, line ends (`\r\n` too) and everything that scripts need:
 * joiners in emoji and between letters of joining scripts, direction marks next to right-to-left letters, one variation selector after a character
 * that has variants, the flags of England, Scotland and Wales. Escaped text stays unchanged when escaped again. Takes time linear in the length.
 */
export function escapeControls(text: string): string {
  const escaped = new EscapedControls();
  return escaped.push(text) + escaped.end();
}

/** `escapeControls` for a text that comes in pieces: the joined results are the same, however the text was split. */
export class EscapedControls {
  /** The end of the judged text, as context for the next characters. */
  #context = '';
  /** Received, but undecided until more comes. */
  #unjudged = '';
  #escapes = 0;
  #judged = 0;

  push(piece: string): string {
    const text = this.#unjudged + piece;
    const end = undecidedFrom(text);
    this.#unjudged = text.slice(end);
    return this.#escape(text.slice(0, end), this.#unjudged);
  }

  /** The rest, once the text is complete. */
  end(): string {
    const rest = this.#unjudged;
    this.#unjudged = '';
    return this.#escape(rest, '');
  }

  #escape(text: string, ahead: string): string {
    const context = this.#context;
    this.#context = (context + text.slice(-contextUnits)).slice(-contextUnits);
    if (!suspicious.test(text)) {
      return text;
    }
    const whole = context + text + ahead;
    const shown: string[] = [];
    for (let place = 0; place < text.length; ) {
      const end = characterEnd(text, place, stretchUnits);
      shown.push(this.#escapeStretch(text.slice(place, end), whole, context.length + place));
      place = end;
    }
    return shown.join('');
  }

  #escapeStretch(stretch: string, whole: string, start: number): string {
    if (this.#escapes > maxEscapes || this.#judged > maxJudged) {
      return stretch.replace(eachSuspicious, '\ufffd');
    }
    return stretch.replace(eachSuspicious, (character: string, offset: number) => {
      this.#judged += 1;
      if (isKept(character, whole, start + offset)) {
        return character;
      }
      this.#escapes += 1;
      return this.#escapes > maxEscapes ? '\ufffd' : `\\u{${codeOf(character).toString(16)}}`;
    });
  }
}

/** A tail that only the next character decides: a return, a joiner, the first half of a pair, the beginning of a flag. */
const undecidedTail = /(?:\u{1f3f4}[\u{e0061}-\u{e007a}]{0,6}[\ud800-\udbff]?|\p{Cf}?[\ud800-\udbff]|[\r\p{Cf}])$/u;

function undecidedFrom(text: string): number {
  const tail = undecidedTail.exec(text.slice(-contextUnits));
  return tail === null ? text.length : text.length - tail[0].length;
}

function isKept(character: string, text: string, offset: number): boolean {
  const before = characterBefore(text, offset);
  const after = characterAt(text, offset + character.length);
  switch (kindOf(codeOf(character))) {
    case 'return':
      return after === '\n';
    case 'joiner':
      return (joins.test(before) && joins.test(after)) || (emojiPart.test(before) && emoji.test(after));
    case 'non-joiner':
      return joins.test(before) && (joins.test(after) || after === '');
    case 'space':
      return withoutSpaces.test(before) && withoutSpaces.test(after);
    case 'direction':
      return fromTheRight.test(before) || fromTheRight.test(after);
    case 'selector':
      return varies.test(before);
    case 'ideograph-selector':
      return /\p{Script=Han}/u.test(before);
    case 'tag':
      return isInFlag(text, offset);
    case 'number-sign':
      return true;
    default:
      return false;
  }
}

type Kind =
  | 'return'
  | 'joiner'
  | 'non-joiner'
  | 'space'
  | 'direction'
  | 'selector'
  | 'ideograph-selector'
  | 'tag'
  | 'number-sign'
  | 'other';

const kinds = new Map<number, Kind>([
  [0x0d, 'return'],
  [0x20_0d, 'joiner'],
  [0x20_0c, 'non-joiner'],
  [0x20_0b, 'space'],
  ...[0x20_0e, 0x20_0f, 0x06_1c].map((code): [number, Kind] => [code, 'direction']),
  // Visible signs before numbers and words of Arabic, Syriac and Kaithi.
  ...[0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x1_10bd, 0x1_10cd].map(
    (code): [number, Kind] => [code, 'number-sign'],
  ),
]);

function kindOf(code: number): Kind {
  if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0x180b && code <= 0x180f && code !== 0x180e)) {
    return 'selector';
  }
  if (code >= 0xe_0100) {
    return 'ideograph-selector';
  }
  return code >= 0xe_0020 && code <= 0xe_007f ? 'tag' : (kinds.get(code) ?? 'other');
}

/** Scripts in which a joiner decides how two letters look. */
const joins =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** Scripts without spaces, which use a zero-width space between words. */
const withoutSpaces = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const fromTheRight = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const emoji = /[\p{Extended_Pictographic}\u2640\u2642]/u;
/** Characters before a joiner inside an emoji. */
const emojiPart = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u;
const varies =
  /[\p{Emoji}\p{Emoji_Modifier}\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Sm}]/u;

const flag = /\u{1f3f4}[\u{e0061}-\u{e007a}]{4,6}\u{e007f}/gu;

/** A regional flag: a black flag, invisible letters and an end tag. */
function isInFlag(text: string, offset: number): boolean {
  // No flag has more than 16 units.
  const from = Math.max(0, offset - 16);
  return [...text.slice(from, offset + 16).matchAll(flag)].some(
    ({ index, 0: found }) => from + index < offset && offset < from + index + found.length,
  );
}

function characterBefore(text: string, offset: number): string {
  return text.slice(Math.max(0, splitsSurrogatePair(text, offset - 1) ? offset - 2 : offset - 1), offset);
}

function characterAt(text: string, offset: number): string {
  const code = text.codePointAt(offset);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

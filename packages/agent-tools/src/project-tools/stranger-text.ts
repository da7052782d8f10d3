import { escapeControls, fence, formatCount, maxViewCharacters } from '@gemini-mcp/core/internal';

/** The limit for one result, as for a viewed file; a note and a fence are added to it. */
const maxCharacters = maxViewCharacters;

/** The length of the kept beginning if the middle is omitted: the reason for a failure is at the end. */
const headCharacters = 12_000;

/** Room for the line that replaces the middle. */
const noteCharacters = 100;

/** Untrusted text in the form in which Gemini gets it. */
export type StrangerText = {
  /** Between tags that do not occur in the text. */
  readonly fenced: string;
  readonly isCut: boolean;
  /** Whether invisible characters are written as `\u{1b}`. */
  readonly isEscaped: boolean;
};

/** The part of a long text to omit: the end, cut at a line end if there is one, or the middle. */
export type LeftOutPart = 'end' | 'middle';

/** Marks untrusted text as data, makes invisible characters visible, and limits its length. */
export function strangerText(name: string, text: string, leftOut: LeftOutPart = 'end'): StrangerText {
  const escaped = escapeControls(text);
  const isCut = escaped.length > maxCharacters;
  const kept = isCut ? cutters[leftOut](escaped) : escaped;
  const whole = kept.endsWith('\n') ? kept.slice(0, -1) : kept;
  return {
    fenced: fence(name, whole),
    isCut,
    isEscaped: escaped !== text,
  };
}

/** For the end of a header. */
export const escapedNote = ' Invisible characters are written as \\u{…}.';

const cutters: Readonly<Record<LeftOutPart, (text: string) => string>> = { end: truncateText, middle: cutMiddle };

function truncateText(text: string): string {
  const end = text.lastIndexOf('\n', maxCharacters - 1) + 1;
  return end > 0 ? text.slice(0, end) : withoutHalf(text.slice(0, maxCharacters));
}

function cutMiddle(text: string): string {
  const head = withoutHalf(text.slice(0, headCharacters));
  const tail = text.slice(-(maxCharacters - headCharacters - noteCharacters)).replace(/^[\udc00-\udfff]/, '');
  const missing = text.length - head.length - tail.length;
  return `${head}\n[${formatCount(missing)} characters omitted]\n${tail}`;
}

/** Drops an unpaired first half of a surrogate pair. */
function withoutHalf(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}

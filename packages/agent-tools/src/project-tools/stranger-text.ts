import { escapeControls, fence, formatCount, maxViewCharacters } from '@gemini-mcp/core/internal';

/** Of one result, as of a file that is viewed; a note and a fence come on top of it. */
const maxCharacters = maxViewCharacters;

/** What is kept of the beginning where the middle is left out: the reason of a failure is at the end. */
const headCharacters = 12_000;

/** Room for the line that takes the place of the middle. */
const noteCharacters = 100;

/** Text of strangers as Gemini is given it. */
export type StrangerText = {
  /** Between tags that the text does not hold. */
  readonly fenced: string;
  readonly isCut: boolean;
  /** Whether characters that cannot be seen are written as `\u{1b}`. */
  readonly isEscaped: boolean;
};

/** What of a long text is left out: the end, at the end of a line where there is one, or the middle. */
export type LeftOutPart = 'end' | 'middle';

/** Text of strangers, as data, with what cannot be seen made visible, and not too much of it. */
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
export const escapedNote = ' Characters that cannot be seen are written as \\u{…}.';

const cutters: Readonly<Record<LeftOutPart, (text: string) => string>> = { end: truncateText, middle: cutMiddle };

function truncateText(text: string): string {
  const end = text.lastIndexOf('\n', maxCharacters - 1) + 1;
  return end > 0 ? text.slice(0, end) : withoutHalf(text.slice(0, maxCharacters));
}

function cutMiddle(text: string): string {
  const head = withoutHalf(text.slice(0, headCharacters));
  const tail = text.slice(-(maxCharacters - headCharacters - noteCharacters)).replace(/^[\udc00-\udfff]/, '');
  const missing = text.length - head.length - tail.length;
  return `${head}\n[${formatCount(missing)} characters are left out here.]\n${tail}`;
}

/** Without the first half of a character that was cut in two. */
function withoutHalf(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}

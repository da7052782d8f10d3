import { escapeControls, fence } from '@gemini-mcp/core/internal';

/** Of one result; a note and a fence come on top of it. */
const maxCharacters = 39_000;

/** Text of strangers as Gemini is given it. */
export type StrangerText = {
  /** Between tags that the text does not hold. */
  readonly fenced: string;
  /** How many of its lines are there, from the first on. */
  readonly lines: number;
  /** Whether its end was cut off, at the end of a line where there is one. */
  readonly isCut: boolean;
  /** Whether characters that cannot be seen are written as `\u{1b}`. */
  readonly isEscaped: boolean;
};

/** Text of strangers, as data, with what cannot be seen made visible, and not too much of it. */
export function strangerText(name: string, text: string): StrangerText {
  const escaped = escapeControls(text);
  const kept = cutAtLine(escaped);
  const whole = kept.endsWith('\n') ? kept.slice(0, -1) : kept;
  return {
    fenced: fence(name, whole),
    lines: kept === '' ? 0 : whole.split('\n').length,
    isCut: kept.length < escaped.length,
    isEscaped: escaped !== text,
  };
}

/** For the end of a header. */
export const escapedNote = ' Characters that cannot be seen are written as \\u{…}.';

function cutAtLine(text: string): string {
  if (text.length <= maxCharacters) {
    return text;
  }
  const end = text.lastIndexOf('\n', maxCharacters - 1) + 1;
  return end > 0 ? text.slice(0, end) : text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '');
}

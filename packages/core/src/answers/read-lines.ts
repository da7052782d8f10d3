import type { LineRange } from '../ports/context-resolver.ts';
import { lineEnd } from '../text/truncate-text.ts';
import { type AnswerPart, describePart } from './answer-part.ts';

const lineFeed = 0x0a;

/**
 * Reads whole lines, counted from 1, both ends included, as far as they exist. More than `maxBytes` of UTF-8 (at least 4) are cut as in `readFrom`,
 * and `nextOffset` is where to continue.
 */
export function readLines(text: string, { first, last }: LineRange, maxBytes: number): AnswerPart {
  const start = offsetOfLine(text, { line: first, knownLine: 1, knownOffset: 0, maxOffset: text.length });
  const end = lineEnd(text, start, maxBytes);
  // The end of the last line need not be found if it is beyond the limit.
  const toEnd = { line: last + 1, knownLine: first, knownOffset: start, maxOffset: Math.min(text.length, end + 1) };
  const wantedEnd = Math.max(start, offsetOfLine(text, toEnd));
  return end < wantedEnd
    ? describePart(text, { start, end, isCut: true })
    : describePart(text, { start, end: wantedEnd, isCut: false });
}

type LineSearch = {
  readonly line: number;
  readonly knownLine: number;
  readonly knownOffset: number;
  readonly maxOffset: number;
};

/** The beginning of a line, counted on from a line with a known beginning; `maxOffset` if no such line begins before it. */
function offsetOfLine(text: string, { line, knownLine, knownOffset, maxOffset }: LineSearch): number {
  let place = knownOffset;
  for (let current = Math.max(1, knownLine); current < line && place < maxOffset; place += 1) {
    current += text.charCodeAt(place) === lineFeed ? 1 : 0;
  }
  return place;
}

import type { LineRange } from '../ports/context-resolver.ts';
import { lineEnd } from '../text/truncate-text.ts';
import { type AnswerPart, describePart } from './answer-part.ts';

const lineFeed = 0x0a;

/**
 * Reads whole lines, counted from 1, both ends included, as many as there are; what takes more than `maxBytes` of UTF-8 (4 at
 * least) is cut as `readFrom` cuts, and `nextOffset` is where to read on.
 */
export function readLines(text: string, { first, last }: LineRange, maxBytes: number): AnswerPart {
  const start = offsetOfLine(text, { line: first, knownLine: 1, knownOffset: 0, maxOffset: text.length });
  const end = lineEnd(text, start, maxBytes);
  // How far beyond the room the last line ends is not looked for.
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

/** Where a line begins, counted on from a line whose beginning is known; `maxOffset` where no such line begins before it. */
function offsetOfLine(text: string, { line, knownLine, knownOffset, maxOffset }: LineSearch): number {
  let place = knownOffset;
  for (let current = Math.max(1, knownLine); current < line && place < maxOffset; place += 1) {
    current += text.charCodeAt(place) === lineFeed ? 1 : 0;
  }
  return place;
}

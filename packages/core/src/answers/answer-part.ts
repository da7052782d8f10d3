import type { LineRange } from '../ports/context-resolver.ts';

/** A part of a long text, and its position. Offsets and lengths are UTF-16 code units, like `string.length`. */
export type AnswerPart = {
  readonly text: string;
  readonly offset: number;
  readonly totalCharacters: number;
  /** The lines of the whole text that the part covers, the first and last possibly only in part; null if it is empty. */
  readonly lines: LineRange | null;
  readonly totalLines: number;
  /** Where the text continues after the part; null at its end. */
  readonly nextOffset: number | null;
  /** Whether the part had to be shorter than requested. */
  readonly isCut: boolean;
};

/** The bounds of a part. */
export type Cut = {
  readonly start: number;
  readonly end: number;
  readonly isCut: boolean;
};

/** The part of a text between two bounds, with its position. */
export function describePart(text: string, { start, end, isCut }: Cut): AnswerPart {
  // A line end at the end of the text, or of the part, begins no further line.
  const before = countLineEnds(text, 0, Math.min(start, text.length - 1));
  const within = countLineEnds(text, start, end - 1);
  const after = countLineEnds(text, Math.max(start, end - 1), text.length - 1);
  return {
    text: text.slice(start, end),
    offset: start,
    totalCharacters: text.length,
    lines: end > start ? { first: 1 + before, last: 1 + before + within } : null,
    totalLines: text === '' ? 0 : 1 + before + within + after,
    nextOffset: end < text.length ? end : null,
    isCut,
  };
}

const lineFeed = 0x0a;

/** Counts line ends from `start` up to `end`. Unit by unit: a search for each end takes ten times as long if there are many. */
function countLineEnds(text: string, start: number, end: number): number {
  let count = 0;
  for (let place = start; place < Math.min(end, text.length); place += 1) {
    count += text.charCodeAt(place) === lineFeed ? 1 : 0;
  }
  return count;
}

import type { LineRange } from '../ports/context-resolver.ts';

/** A piece of a long text, and where it is. Offsets and lengths are UTF-16 code units, as `string.length` counts. */
export type AnswerPart = {
  readonly text: string;
  readonly offset: number;
  readonly totalCharacters: number;
  /** Lines of the whole text that are in it, the first and the last perhaps not whole; null where it is empty. */
  readonly lines: LineRange | null;
  readonly totalLines: number;
  /** Where the text goes on after it; null at its end. */
  readonly nextOffset: number | null;
  /** Whether there was no room for all that was asked for. */
  readonly isCut: boolean;
};

/** Which piece of a text is a part. */
export type Cut = {
  readonly start: number;
  readonly end: number;
  readonly isCut: boolean;
};

/** The piece of a text that a cut names, and where it is in the text. */
export function describePart(text: string, { start, end, isCut }: Cut): AnswerPart {
  // A line end that is the last of the text, or of the part, begins no further line in it.
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

/** Line ends from `start` on, before `end`. Unit by unit: one search for each end takes ten times as long where there are many. */
function countLineEnds(text: string, start: number, end: number): number {
  let count = 0;
  for (let place = start; place < Math.min(end, text.length); place += 1) {
    count += text.charCodeAt(place) === lineFeed ? 1 : 0;
  }
  return count;
}

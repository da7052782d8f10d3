import type { LineRange } from '../ports/context-resolver.ts';

/** A text, or its bytes in UTF-8: what `start` and `end` of the lines in it count. */
export type LineSource = {
  readonly length: number;
  indexOf(searched: string, from: number): number;
};

export type LocatedLines = {
  /** The end is lowered to the last line that there is. */
  readonly lines: LineRange;
  readonly start: number;
  /** Behind the last line's own line end. */
  readonly end: number;
};

export type LineLocations = {
  /** One for each range that begins within the source, in their order. */
  readonly parts: readonly LocatedLines[];
  readonly lineCount: number;
};

/**
 * Finds lines. A line ends behind a line feed, and that (with a carriage return before it) belongs to the line, so that
 * the parts of a file put together are the file; what follows the last line feed is a line when it is not empty. A
 * carriage return alone ends nothing. The ranges are sorted and do not overlap.
 */
export function locateLines(source: LineSource, ranges: readonly LineRange[]): LineLocations {
  const parts: LocatedLines[] = [];
  let position: Position = { line: 0, offset: 0 };
  for (const { first, last } of ranges) {
    const from = advance(source, position, first - 1);
    position = advance(source, from, last);
    if (from.offset < source.length) {
      parts.push({ lines: { first, last: position.line }, start: from.offset, end: position.offset });
    }
  }
  return { parts, lineCount: advance(source, position, Number.POSITIVE_INFINITY).line };
}

/** How many lines end at or before an offset. */
type Position = { readonly line: number; readonly offset: number };

function advance(source: LineSource, from: Position, toLine: number): Position {
  let { line, offset } = from;
  while (line < toLine && offset < source.length) {
    const feed = source.indexOf('\n', offset);
    offset = feed < 0 ? source.length : feed + 1;
    line += 1;
  }
  return { line, offset };
}

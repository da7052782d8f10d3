import type { LineRange } from '../ports/context-resolver.ts';

/** A text, or its bytes in UTF-8: what `start` and `end` of the lines in it count. */
export type LineSource = {
  readonly length: number;
  /** The UTF-16 code unit, or the byte, at a place inside. */
  codeAt(place: number): number;
};

export type LocatedLines = {
  /** The end is lowered to the last line that there is. */
  readonly lines: LineRange;
  readonly start: number;
  /** After the last line's own line end. */
  readonly end: number;
};

export type LineLocations = {
  /** One for each range that begins within the source, in their order. */
  readonly parts: readonly LocatedLines[];
  /** Null where the ranges were found without going through the whole source. */
  readonly lineCount: number | null;
};

/** How much is looked at between two chances to let others work: a fraction of a millisecond. */
const placesPerStep = 131_072;

const lineFeed = 0x0a;

/**
 * Finds lines. A line ends after a line feed, and that (with a carriage return before it) belongs to the line, so that
 * the parts of a file put together are the file; what follows the last line feed is a line when it is not empty. A
 * carriage return alone ends nothing. The ranges are sorted and do not overlap. Goes no further than to the last line that
 * is asked for.
 *
 * Yields after each bounded piece of work; the caller may pause there, or give it up.
 */
export function* locateLines(source: LineSource, ranges: readonly LineRange[]): Generator<undefined, LineLocations> {
  const parts: LocatedLines[] = [];
  let position: Position = { line: 0, offset: 0 };
  for (const { first, last } of ranges) {
    const from = yield* advance(source, position, first - 1);
    position = yield* advance(source, from, last);
    if (from.offset < source.length) {
      parts.push({ lines: { first, last: position.line }, start: from.offset, end: position.offset });
    }
  }
  return { parts, lineCount: position.offset >= source.length ? position.line : null };
}

/** How many lines end at or before an offset. */
type Position = { readonly line: number; readonly offset: number };

function* advance(source: LineSource, from: Position, toLine: number): Generator<undefined, Position> {
  let scan: Scan = { ...from, place: from.offset };
  while (scan.line < toLine && scan.offset < source.length) {
    scan = scanOn(source, scan, toLine);
    if (scan.line < toLine && scan.place === source.length) {
      // What follows the last line feed is a line as well.
      return { line: scan.offset < scan.place ? scan.line + 1 : scan.line, offset: scan.place };
    }
    yield;
  }
  return { line: scan.line, offset: scan.offset };
}

/** A position, and how far the source was looked at. */
type Scan = Position & { readonly place: number };

function scanOn(source: LineSource, from: Scan, toLine: number): Scan {
  const stop = Math.min(source.length, from.place + placesPerStep);
  let { line, offset, place } = from;
  for (; place < stop && line < toLine; place += 1) {
    if (source.codeAt(place) === lineFeed) {
      line += 1;
      offset = place + 1;
    }
  }
  return { line, offset, place };
}

import type { LineRange } from '../ports/context-resolver.ts';

/** A text, or its UTF-8 bytes: the unit in which `start` and `end` of its lines count. */
export type LineSource = {
  readonly length: number;
  /** The UTF-16 code unit or the byte at a place inside the source. */
  codeAt(place: number): number;
};

export type LocatedLines = {
  /** The end is lowered to the last existing line. */
  readonly lines: LineRange;
  readonly start: number;
  /** After the last line's own line end. */
  readonly end: number;
};

export type LineLocations = {
  /** One for each range that begins within the source, in order. */
  readonly parts: readonly LocatedLines[];
  /** Null if the ranges were found before the end of the source. */
  readonly lineCount: number | null;
};

/** How much is scanned between two pauses: a fraction of a millisecond. */
const placesPerStep = 131_072;

const lineFeed = 0x0a;

/**
 * Finds lines. A line ends after a line feed, which (with a preceding carriage return) belongs to the line, so that all parts of a file joined are
 * the file; text after the last line feed is a line too. A carriage return alone ends no line. The ranges must be sorted and must not overlap. Reads
 * no further than the last requested line.
 *
 * Yields after each bounded piece of work; the caller may pause there, or stop.
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

/** The number of lines that end at or before an offset. */
type Position = { readonly line: number; readonly offset: number };

function* advance(source: LineSource, from: Position, toLine: number): Generator<undefined, Position> {
  let scan: Scan = { ...from, place: from.offset };
  while (scan.line < toLine && scan.offset < source.length) {
    scan = scanOn(source, scan, toLine);
    if (scan.line < toLine && scan.place === source.length) {
      // Text after the last line feed is a line too.
      return { line: scan.offset < scan.place ? scan.line + 1 : scan.line, offset: scan.place };
    }
    yield;
  }
  return { line: scan.line, offset: scan.offset };
}

/** A position, and how far the source was scanned. */
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

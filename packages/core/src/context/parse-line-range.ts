import type { LineRange } from '../ports/context-resolver.ts';

/** What a name asks of a file besides its path: lines, or something that no file has. */
export type AskedLines =
  | { readonly ok: true; readonly ranges: readonly LineRange[] }
  /** `problem` is ours: a few words for the `detail` of an entry. */
  | { readonly ok: false; readonly problem: string };

export type NamedLines = {
  readonly path: string;
  readonly asked: AskedLines;
};

/** Far more than anybody writes by hand, few enough that one name cannot keep a server busy. */
export const maxRangesPerName = 100;

/**
 * Reads `path:10-40`, `path:10`, `path:10-` and lists of these separated by commas; null when a name does not end in one.
 *
 * The last colon counts, so a drive letter is a part of the path. A suffix of this form that makes no sense (line 0, a
 * range that runs backwards, more than `maxRangesPerName`) is no plain name either: it comes back as a problem. An open
 * end, and any number too large to count with, is `Number.MAX_SAFE_INTEGER`. The ranges are as they were written:
 * neither sorted nor merged.
 */
export function parseLineRange(name: string): NamedLines | null {
  const colon = name.lastIndexOf(':');
  if (colon < 1) {
    return null;
  }
  const ranges: LineRange[] = [];
  for (const part of name.slice(colon + 1).split(',', maxRangesPerName + 1)) {
    const range = parseRange(part);
    if (range === null) {
      return null;
    }
    ranges.push(range);
  }
  return { path: name.slice(0, colon), asked: judge(ranges) };
}

function parseRange(text: string): LineRange | null {
  // One way only to read the digits: with two, a long name would take a time that grows with the square of its length.
  const [, first, last] = /^(\d+)(?:-(\d*))?$/.exec(text) ?? [];
  if (first === undefined) {
    return null;
  }
  return { first: toLine(first), last: last === '' ? Number.MAX_SAFE_INTEGER : toLine(last ?? first) };
}

function toLine(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}

function judge(ranges: readonly LineRange[]): AskedLines {
  if (ranges.length > maxRangesPerName) {
    return { ok: false, problem: `more than ${maxRangesPerName} ranges in one name` };
  }
  if (ranges.some(({ first, last }) => first === 0 || last === 0)) {
    return { ok: false, problem: 'lines are counted from 1' };
  }
  const backwards = ranges.find(({ first, last }) => last < first);
  return backwards === undefined
    ? { ok: true, ranges }
    : { ok: false, problem: `${backwards.first}-${backwards.last} runs backwards` };
}

/** Sorts ranges, and makes one of those that overlap or touch. */
export function mergeLineRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const merged: LineRange[] = [];
  for (const range of [...ranges].sort((one, other) => one.first - other.first)) {
    const before = merged.at(-1);
    if (before !== undefined && range.first <= before.last + 1) {
      merged.splice(-1, 1, { first: before.first, last: Math.max(before.last, range.last) });
    } else {
      merged.push(range);
    }
  }
  return merged;
}

import type { LineRange } from '../ports/context-resolver.ts';

/** The part of a file that a name selects besides its path: lines, or an invalid range. */
export type AskedLines =
  | { readonly ok: true; readonly ranges: readonly LineRange[] }
  /** `problem` is our own text, for the `detail` of an entry. */
  | { readonly ok: false; readonly problem: string };

export type NamedLines = {
  readonly path: string;
  readonly asked: AskedLines;
};

/** Far more than anyone writes by hand, but few enough that one name cannot keep a server busy. */
export const maxRangesPerName = 100;

/**
 * Parses `path:10-40`, `path:10`, `path:10-` and comma-separated lists of these; null if a name does not end in one.
 *
 * The last colon counts, so a drive letter is part of the path. A suffix of this form that makes no sense (line 0, a reversed range, more than
 * `maxRangesPerName`) is not a plain name either: it is returned as a problem. An open end, and any number too large to count with, is
 * `Number.MAX_SAFE_INTEGER`. The ranges are neither sorted nor merged.
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
  // Only one way to match the digits: with two, a long name would take quadratic time.
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

/** Sorts ranges and merges those that overlap or touch. */
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

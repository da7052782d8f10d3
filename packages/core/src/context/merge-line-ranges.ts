import type { LineRange } from '../ports/context-resolver.ts';

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

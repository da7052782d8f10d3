import { findOccurrences } from './find-occurrences.ts';
import { usualLineEnd, withLineEnd } from './line-ends.ts';
import type { Replacement } from './replacement.ts';
import { splitLines } from './split-lines.ts';

/** Lines of a text that equal others but for white space at both ends of each, and what takes their place. */
export type TrimmedMatch = {
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The new text with the indentation and the line ends of the place. */
  readonly newText: string;
};

/** Where whole lines of a text equal the old text but for white space at both ends of each; `limit` places at most. */
export function findTrimmed(text: string, replacement: Replacement, limit: number): readonly TrimmedMatch[] {
  const olds = splitLines(withLineEnd(replacement.oldText, '\n'));
  const numbers = new Map<string, number>();
  for (const line of olds) {
    numbers.set(line.trim(), numbers.get(line.trim()) ?? numbers.size);
  }
  if (numbers.size === 0 || (numbers.size === 1 && numbers.has(''))) {
    return [];
  }
  const lines = splitLines(text);
  const numbersOf = (each: readonly string[]): Int32Array =>
    Int32Array.from(each, (line) => numbers.get(line.trim()) ?? -1);
  const found = findOccurrences(sequenceOf(numbersOf(lines)), sequenceOf(numbersOf(olds)), limit);
  return found.map((index) => matchAt(lines, index, olds, replacement.newText));
}

function sequenceOf(numbers: Int32Array): { readonly length: number; readonly at: (index: number) => number } {
  return { length: numbers.length, at: (index) => numbers[index] ?? -2 };
}

function matchAt(lines: readonly string[], index: number, olds: readonly string[], newText: string): TrimmedMatch {
  const start = lines.slice(0, index).reduce((sum, line) => sum + line.length, 0);
  const found = lines.slice(index, index + olds.length);
  const whole = found.join('');
  const indented = indentAlike(withLineEnd(newText, '\n'), olds, found);
  const lastEnd = /\r?\n$/.exec(whole)?.[0] ?? '';
  const takesLastEnd = olds.at(-1)?.endsWith('\n') === true;
  // Where the file ends without a line end, it goes on doing so.
  const ended = takesLastEnd && lastEnd === '' ? indented.replace(/\n$/, '') : indented;
  return {
    start,
    end: start + whole.length - (takesLastEnd ? 0 : lastEnd.length),
    firstLine: index + 1,
    lastLine: index + olds.length,
    newText: withLineEnd(ended, usualLineEnd(whole.includes('\n') ? whole : lines.join(''))),
  };
}

/**
 * Each line gets the indentation that the file has where the old text had that of the line. One that the old text has nowhere is taken as
 * what it adds to the longest that it begins with.
 */
function indentAlike(newText: string, olds: readonly string[], found: readonly string[]): string {
  const indentations = new Map<string, string>();
  olds.forEach((line, index) => {
    const old = indentationOf(line);
    if (line.trim() !== '' && !indentations.has(old)) {
      indentations.set(old, indentationOf(found[index] ?? ''));
    }
  });
  const known = [...indentations.keys()].sort((one, other) => other.length - one.length);
  return splitLines(newText)
    .map((line) => {
      const indentation = indentationOf(line);
      const base = known.find((each) => indentation.startsWith(each));
      const isBlank = line.trim() === '';
      return isBlank || base === undefined ? line : (indentations.get(base) ?? '') + line.slice(base.length);
    })
    .join('');
}

function indentationOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

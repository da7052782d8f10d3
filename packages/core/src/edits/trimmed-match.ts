import { findOccurrences } from './find-occurrences.ts';
import { usualLineEnd, withLineEnd } from './line-ends.ts';
import type { Replacement } from './replacement.ts';
import { splitLines } from './split-lines.ts';
import { translateIndentation } from './translate-indentation.ts';

/** Lines of a text that equal others but for white space at both ends of each, and what takes their place. */
export type TrimmedMatch = {
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The new text with the indentation and the line ends of the place; null if it is not clear which indentation one of its lines is to have. */
  readonly newText: string | null;
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
  const ended = takesLastEnd && lastEnd === '' ? indented?.replace(/\n$/, '') : indented;
  return {
    start,
    end: start + whole.length - (takesLastEnd ? 0 : lastEnd.length),
    firstLine: index + 1,
    lastLine: index + olds.length,
    newText: ended == null ? null : withLineEnd(ended, usualLineEnd(whole.includes('\n') ? whole : lines.join(''))),
  };
}

/**
 * A line that the old text has too stays as the file has it. Any other gets the indentation that the file has where the old text had that of
 * the line. Null if that could mean two things.
 */
function indentAlike(newText: string, olds: readonly string[], founds: readonly string[]): string | null {
  const news = splitLines(newText);
  const sameLines = new Map<string, KeptLines>();
  const sameWords = new Map<string, Set<string>>();
  const pairs = olds.flatMap((line, index) => {
    const [old, found] = [withoutEnd(line), withoutEnd(founds[index] ?? '')];
    const pair = { old: indentationOf(old), found: indentationOf(found) };
    const kept = sameLines.get(old) ?? { founds: [], distinct: new Set() };
    kept.founds.push(found);
    sameLines.set(old, { ...kept, distinct: kept.distinct.add(found) });
    sameWords.set(old.trimEnd(), (sameWords.get(old.trimEnd()) ?? new Set()).add(pair.found));
    return isBlank(old) ? [] : [pair];
  });
  const keep = keepLines(sameLines, news.map(withoutEnd));
  const translate = translateIndentation(pairs);
  const indent = (text: string): string | null => {
    const [known, ...others] = sameWords.get(text.trimEnd()) ?? [];
    const old = indentationOf(text);
    const indentation = others.length > 0 ? null : (known ?? translate(old));
    return indentation === null ? null : indentation + text.slice(old.length);
  };
  const lines = news.map((line) => {
    const text = withoutEnd(line);
    const written = keep(text) ?? (isBlank(text) ? text : indent(text));
    return written === null ? null : written + line.slice(text.length);
  });
  return lines.includes(null) ? null : lines.join('');
}

/** The lines of the file, in order, in the places of one and the same line of the old text. */
type KeptLines = { readonly founds: string[]; readonly distinct: Set<string> };

/**
 * Makes a function that gives for each line of the new text, in order, the same line as the file has it; null for one that the old text lacks, or
 * has another number of times and the file in several ways.
 */
function keepLines(
  sameLines: ReadonlyMap<string, KeptLines>,
  news: readonly string[],
): (line: string) => string | null {
  const counts = new Map<string, number>();
  for (const line of news) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const taken = new Map<string, number>();
  return (line) => {
    const { founds, distinct } = sameLines.get(line) ?? { founds: [], distinct: new Set() };
    const index = taken.get(line) ?? 0;
    taken.set(line, index + 1);
    const isClear = founds.length === counts.get(line) || distinct.size === 1;
    return isClear ? (founds[index % founds.length] ?? null) : null;
  };
}

function withoutEnd(line: string): string {
  return line.replace(/\r?\n$/, '');
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function indentationOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

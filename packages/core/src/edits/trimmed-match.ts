import type { Replacement } from '../ports/workspace/file-steps.ts';
import { splitLines } from '../text/split-lines.ts';
import { findOccurrences } from './find-occurrences.ts';

/** Lines of a text that match others except for surrounding white space, and their replacement. */
export type TrimmedMatch = {
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The new text with the indentation and line ends of the place; null if the indentation of a line is ambiguous. */
  readonly newText: string | null;
};

/** Where whole lines of a text match the old text except for surrounding white space; at most `limit` places. */
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
  // A file without a final line end keeps none.
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
 * A line that also occurs in the old text stays as in the file. Any other gets the indentation that the file has in place of the old text's. Null if
 * that is ambiguous.
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

/** The lines of the file, in order, that match one and the same line of the old text. */
type KeptLines = { readonly founds: string[]; readonly distinct: Set<string> };

/**
 * Creates a function that returns for each line of the new text, in order, the file's version of that line; null for a line that the old text lacks,
 * or has another number of times while the file has several versions.
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

type LineEnd = '\n' | '\r\n';

/** The most frequent line end of a text; the first if two are equally frequent, `\n` for a text of one line. */
export function usualLineEnd(text: string): LineEnd {
  const sample = text.slice(0, maxSampledCharacters);
  const returns = countOf(sample, '\r\n');
  return returns > 0 && 2 * returns >= countOf(sample, '\n') ? '\r\n' : '\n';
}

/** A file's line ends do not change after that. */
const maxSampledCharacters = 1_000_000;

/** A text with `\n` alone, and a mapping back to places in the original. */
type PlainLines = {
  readonly text: string;
  /** Maps ascending places in `text` to places in the original. */
  readonly originals: (places: readonly number[]) => readonly number[];
};

/** Reads each `\r\n` as `\n`. */
export function withPlainLineEnds(text: string): PlainLines {
  return {
    text: text.replaceAll('\r\n', '\n'),
    originals: (places) => {
      let returns = 0;
      let next = text.indexOf('\r\n');
      return places.map((place) => {
        // A place right after a line end also lies after its carriage return.
        while (next !== -1 && next - returns < place) {
          returns += 1;
          next = text.indexOf('\r\n', next + 2);
        }
        return place + returns;
      });
    },
  };
}

/** The same text with this line end after every line. */
export function withLineEnd(text: string, lineEnd: LineEnd): string {
  const plain = text.replaceAll('\r\n', '\n');
  return lineEnd === '\n' ? plain : plain.replaceAll('\n', lineEnd);
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let place = text.indexOf(part); place !== -1; place = text.indexOf(part, place + part.length)) {
    count += 1;
  }
  return count;
}

/** The indentation of a line in the old text, and of the same line in the file. */
type IndentationPair = { readonly old: string; readonly found: string };

/** Null for an indentation about which the pairs say nothing, or contradict each other. */
type TranslateIndentation = (indentation: string) => string | null;

/**
 * Creates a function that maps an indentation of the new text to the file's, from the lines that the old text and the file share. Deeper indentation
 * is translated by the ratio of those lines, such as four spaces for a tab.
 */
function translateIndentation(pairs: readonly IndentationPair[]): TranslateIndentation {
  if (pairs.every(({ old, found }) => old === found)) {
    return (indentation) => indentation;
  }
  const known = new Map<string, Set<string>>();
  for (const { old, found } of pairs) {
    known.set(old, (known.get(old) ?? new Set()).add(found));
  }
  const deepestFirst = [...known.keys()].sort((one, other) => other.length - one.length);
  const distinct = [...known].flatMap(([old, founds]) => [...founds].map((found) => ({ old, found })));
  const change = changeOf(distinct);
  return (indentation) => {
    const base = deepestFirst.find((old) => indentation.startsWith(old));
    if (base === undefined) {
      return change?.all(indentation) ?? null;
    }
    const [found, ...others] = known.get(base) ?? [];
    const rest = indentation.slice(base.length);
    const deeper = rest === '' ? '' : (change?.more(rest) ?? null);
    return found === undefined || others.length > 0 || deeper === null ? null : found + deeper;
  };
}

/** How the file changes the indentation of the old text: `all` for a whole unknown one, `more` for the rest of one with a known beginning. */
type IndentationChange = { readonly all: TranslateIndentation; readonly more: TranslateIndentation };

const none: TranslateIndentation = () => null;
const same: TranslateIndentation = (indentation) => indentation;

function changeOf(pairs: readonly IndentationPair[]): IndentationChange | null {
  const [first, ...others] = pairs;
  if (first === undefined) {
    return null;
  }
  const steps = stepsOf(pairs);
  if (steps === null || steps.length === 0) {
    return others.length === 0 ? changeOfOne(first) : null;
  }
  if (steps.every(({ old, found }) => old === found)) {
    return { all: shiftBy(pairs), more: same };
  }
  const scale = scaleBy(steps);
  const holdsForAll = pairs.every(({ old, found }) => scale(old) === found);
  return { all: holdsForAll ? scale : none, more: scale };
}

/** The steps from lines to deeper ones, in the old text and in the file; null if they contradict each other. */
function stepsOf(pairs: readonly IndentationPair[]): readonly IndentationPair[] | null {
  const steps = pairs.flatMap((outer) =>
    pairs
      .filter((inner) => inner !== outer && inner.old.startsWith(outer.old))
      .map((inner) =>
        inner.old !== outer.old && inner.found.startsWith(outer.found)
          ? { old: inner.old.slice(outer.old.length), found: inner.found.slice(outer.found.length) }
          : null,
      ),
  );
  const whole = steps.filter((step) => step !== null);
  return whole.length < steps.length ? null : whole;
}

/** A single depth does not distinguish moved text from wider steps, unless the file has tabs for spaces or the reverse. */
function changeOfOne({ old, found }: IndentationPair): IndentationChange {
  if (old === '' || found === '') {
    const sign = old + found;
    return { all: none, more: (rest) => (sign === '' || isOf(rest, sign.charAt(0)) ? rest : null) };
  }
  const [spaces, tabs] = old.includes(' ') ? [old, found] : [found, old];
  const width = spaces.length / tabs.length;
  const isTelling = isOf(spaces, ' ') && isOf(tabs, '\t') && (width === 4 || width === 8 || tabs.length === 1);
  const scale = isTelling ? scaleBy([{ old, found }]) : none;
  return { all: scale, more: scale };
}

/** For lines that are all indented more in the file than in the old text, or all less, by the same amount. */
function shiftBy(pairs: readonly IndentationPair[]): TranslateIndentation {
  const [{ old, found } = { old: '', found: '' }] = pairs;
  const added = found.endsWith(old) ? found.slice(0, found.length - old.length) : null;
  if (added !== null && pairs.every((pair) => pair.found === added + pair.old)) {
    return (indentation) => added + indentation;
  }
  const removed = old.endsWith(found) ? old.slice(0, old.length - found.length) : null;
  return removed !== null && pairs.every((pair) => pair.old === removed + pair.found)
    ? (indentation) => (indentation.startsWith(removed) ? indentation.slice(removed.length) : null)
    : none;
}

/** Scales by the ratio of the steps, if all agree. */
function scaleBy(steps: readonly IndentationPair[]): TranslateIndentation {
  const [{ old, found } = { old: '', found: '' }] = steps;
  const [from, to] = [old.charAt(0), found.charAt(0)];
  const agrees = steps.every(
    (step) =>
      isOf(step.old, from) && isOf(step.found, to) && step.old.length * found.length === step.found.length * old.length,
  );
  return (indentation) => {
    const count = (indentation.length * found.length) / old.length;
    return agrees && to !== '' && isOf(indentation, from) && Number.isInteger(count) ? to.repeat(count) : null;
  };
}

function isOf(text: string, sign: string): boolean {
  return text === sign.repeat(text.length);
}

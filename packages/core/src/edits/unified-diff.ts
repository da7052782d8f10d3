import { escapeName } from '../text/escape-name.ts';
import { splitLines } from '../text/split-lines.ts';
import { type ChangedRange, findChangedRanges } from './changed-ranges.ts';
import { trimCommonLines } from './trim-common-lines.ts';

export type UnifiedDiffOptions = {
  /** For the head of the diff. Shown with what would deceive a reader escaped. */
  readonly path: string;
  /** Null for a file that was not there. */
  readonly before: string | null;
  /** Null for a file that is gone. */
  readonly after: string | null;
};

export type UnifiedDiff = {
  /** Empty where nothing differs. */
  readonly diff: string;
  readonly addedLines: number;
  readonly removedLines: number;
};

const contextLines = 3;

/** Longer ones are cut at a line's end, and say so: no one reads them, and some are as long as both files. */
const maxDiffCharacters = 1_000_000;

/**
 * What differs between two texts, with three lines around each change. Lines end with `\n`, and a return before it is part of the line. Takes
 * a time that is bounded by the length of the texts: of texts that differ in more than 1,000 lines everything between the first and the
 * last difference is shown as replaced.
 */
export function unifiedDiff({ path, before, after }: UnifiedDiffOptions): UnifiedDiff {
  const middle = trimCommonLines({ before: before ?? '', after: after ?? '', contextLines });
  const olds = splitLines(middle.before);
  const news = splitLines(middle.after);
  const ranges = findChangedRanges(olds, news);
  const text = new CappedText(maxDiffCharacters);
  text.add(`--- ${before === null ? '/dev/null' : `a/${escapeName(path)}`}\n`);
  text.add(`+++ ${after === null ? '/dev/null' : `b/${escapeName(path)}`}\n`);
  for (const hunk of groupRanges(ranges)) {
    addHunk(text, { hunk, olds, news, firstLine: middle.firstLine });
  }
  const removedLines = ranges.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0);
  const addedLines = ranges.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0);
  const isSame = ranges.length === 0 && (before === null) === (after === null);
  return { diff: isSame ? '' : text.end(), addedLines, removedLines };
}

/** Changes with no more between them than is shown around each are shown together. */
function groupRanges(ranges: readonly ChangedRange[]): readonly (readonly ChangedRange[])[] {
  const groups: ChangedRange[][] = [];
  for (const range of ranges) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && range.oldStart - last.oldEnd <= 2 * contextLines) {
      group.push(range);
    } else {
      groups.push([range]);
    }
  }
  return groups;
}

type Hunk = {
  readonly hunk: readonly ChangedRange[];
  readonly olds: readonly string[];
  readonly news: readonly string[];
  /** The number of the first line of both lists. */
  readonly firstLine: number;
};

function addHunk(text: CappedText, { hunk, olds, news, firstLine }: Hunk): void {
  const [first] = hunk;
  const last = hunk.at(-1);
  if (first === undefined || last === undefined) {
    return;
  }
  const above = Math.min(contextLines, first.oldStart);
  const below = Math.min(contextLines, olds.length - last.oldEnd);
  const oldStart = first.oldStart - above;
  const newStart = first.newStart - above;
  const olden = describeRange(firstLine + oldStart, last.oldEnd + below - oldStart);
  const newer = describeRange(firstLine + newStart, last.newEnd + below - newStart);
  text.add(`@@ -${olden} +${newer} @@\n`);
  let place = oldStart;
  for (const range of hunk) {
    addLines(text, ' ', olds, place, range.oldStart);
    addLines(text, '-', olds, range.oldStart, range.oldEnd);
    addLines(text, '+', news, range.newStart, range.newEnd);
    place = range.oldEnd;
  }
  addLines(text, ' ', olds, place, last.oldEnd + below);
}

function describeRange(line: number, count: number): string {
  // An empty range is named by the line before it.
  const start = count === 0 ? line - 1 : line;
  return count === 1 ? `${start}` : `${start},${count}`;
}

function addLines(text: CappedText, sign: string, lines: readonly string[], from: number, to: number): void {
  for (let index = from; index < to && !text.isFull; index += 1) {
    const line = lines[index] ?? '';
    text.add(line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`);
  }
}

class CappedText {
  readonly #parts: string[] = [];
  #room: number;
  #isFull = false;

  constructor(room: number) {
    this.#room = room;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  add(part: string): void {
    this.#isFull ||= part.length > this.#room;
    if (!this.#isFull) {
      this.#room -= part.length;
      this.#parts.push(part);
    }
  }

  end(): string {
    return this.#parts.join('') + (this.#isFull ? '\\ The diff is longer: the rest is not shown\n' : '');
  }
}

import { escapeName } from '../text/escape-name.ts';
import { splitLines } from '../text/split-lines.ts';

export type UnifiedDiffOptions = {
  /** For the diff's header. Deceptive characters are escaped. */
  readonly path: string;
  /** Null for a file that did not exist. */
  readonly before: string | null;
  /** Null for a deleted file. */
  readonly after: string | null;
};

export type UnifiedDiff = {
  /** Empty if nothing differs. */
  readonly diff: string;
  readonly addedLines: number;
  readonly removedLines: number;
};

const contextLines = 3;

/** Longer diffs are cut at a line end, with a note: no one reads them, and some are as long as both files. */
const maxDiffCharacters = 1_000_000;

/**
 * The difference between two texts, with three lines around each change. Lines end with `\n`, and a preceding carriage return is part of the line.
 * The time is bounded by the length of the texts: if more than 1,000 lines differ, everything between the first and the last difference is shown as
 * replaced.
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

/** Groups changes whose surrounding lines touch or overlap. */
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

type TrimOptions = {
  readonly before: string;
  readonly after: string;
  /** How many shared lines to keep at each end. */
  readonly contextLines: number;
};

type TrimmedTexts = {
  readonly before: string;
  readonly after: string;
  /** The number of their first line, from 1. */
  readonly firstLine: number;
};

/** Drops the whole lines that two texts share at their beginning and end: a large file with few changes needs no line lists. */
function trimCommonLines({ before, after, contextLines }: TrimOptions): TrimmedTexts {
  const same = commonLength(before, after);
  const start = linesBack(before, same, contextLines + 1);
  const end = commonEndLength(before, after, same);
  const kept = linesOn(before, before.length - end, contextLines + 1);
  const left = before.length - kept;
  return {
    before: before.slice(start, kept),
    after: after.slice(start, after.length - left),
    firstLine: 1 + countLines(before, start),
  };
}

function commonLength(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && before.charCodeAt(count) === after.charCodeAt(count)) {
    count += 1;
  }
  return count;
}

function commonEndLength(before: string, after: string, start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let count = 0;
  while (count < most && before.charCodeAt(before.length - 1 - count) === after.charCodeAt(after.length - 1 - count)) {
    count += 1;
  }
  return count;
}

/** The beginning of the line `count` lines before `place`; 0 if there are fewer. */
function linesBack(text: string, place: number, count: number): number {
  let start = place;
  for (let found = 0; found < count && start > 0; found += 1) {
    start = text.lastIndexOf('\n', start - (found === 0 ? 1 : 2)) + 1;
  }
  return start;
}

/** The end of the line `count` lines after `place`; the end of the text if there are fewer. */
function linesOn(text: string, place: number, count: number): number {
  let end = place;
  for (let found = 0; found < count; found += 1) {
    const next = text.indexOf('\n', end);
    if (next === -1) {
      return text.length;
    }
    end = next + 1;
  }
  return end;
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let place = text.indexOf('\n'); place !== -1 && place < end; place = text.indexOf('\n', place + 1)) {
    count += 1;
  }
  return count;
}

/** Lines that differ: those from `oldStart` up to `oldEnd` were removed, those from `newStart` up to `newEnd` were added. */
type ChangedRange = {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
};

/** A text with more differing lines was rewritten, and no reader follows a minimal difference. */
const maxDifferences = 1_000;

/** About 30 ms. */
const maxSteps = 5_000_000;

/**
 * The changes that turn one list of lines into the other, in order: minimal (Myers), or everything between the shared beginning and end if finding
 * the minimum would take long.
 */
function findChangedRanges(before: readonly string[], after: readonly string[]): readonly ChangedRange[] {
  const [olds, news] = numberLines(before, after);
  const start = commonStart(olds, news);
  const end = commonEnd(olds, news, start);
  const whole = { oldStart: start, oldEnd: olds.length - end, newStart: start, newEnd: news.length - end };
  if (whole.oldStart === whole.oldEnd && whole.newStart === whole.newEnd) {
    return [];
  }
  const rounds = searchPath(olds.subarray(start, whole.oldEnd), news.subarray(start, whole.newEnd));
  if (rounds === null) {
    return [whole];
  }
  return traceBack(rounds, whole.oldEnd - start, whole.newEnd - start).map((range) => shift(range, start));
}

/** Equal lines get equal numbers, which compare quickly. */
function numberLines(before: readonly string[], after: readonly string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  return [Int32Array.from(before, numberOf), Int32Array.from(after, numberOf)];
}

function commonStart(olds: Int32Array, news: Int32Array): number {
  const most = Math.min(olds.length, news.length);
  let count = 0;
  while (count < most && olds[count] === news[count]) {
    count += 1;
  }
  return count;
}

function commonEnd(olds: Int32Array, news: Int32Array, start: number): number {
  const most = Math.min(olds.length, news.length) - start;
  let count = 0;
  while (count < most && olds[olds.length - 1 - count] === news[news.length - 1 - count]) {
    count += 1;
  }
  return count;
}

/**
 * Advances on every diagonal, with one more difference in each round. Returns how far each round had come before it began; null if it takes too long.
 * Diagonal `k`, old place minus new place, lies at `k + round` in the list of its round.
 */
function searchPath(olds: Int32Array, news: Int32Array): readonly Int32Array[] | null {
  const rounds: Int32Array[] = [];
  let reached = new Int32Array([0, 0, 0]);
  let steps = 0;
  for (let round = 0; round <= maxDifferences && steps <= maxSteps; round += 1) {
    rounds.push(reached);
    const next = new Int32Array(2 * round + 5);
    for (let diagonal = -round; diagonal <= round; diagonal += 2) {
      const from = entryOf(reached, diagonal, round);
      const to = followEqual(olds, news, from, diagonal);
      next[diagonal + round + 2] = to;
      steps += to - from + 1;
      if (to >= olds.length && to - diagonal >= news.length) {
        return rounds;
      }
    }
    reached = next;
  }
  return null;
}

/** The furthest old place on a diagonal when the round began. The list holds one more diagonal on either side than were reached. */
function at(reached: Int32Array, diagonal: number, round: number): number {
  return reached[diagonal + round + 1] ?? 0;
}

/** Whether the furthest place on a diagonal is reached by adding a line rather than by removing one. */
function goesDown(reached: Int32Array, diagonal: number, round: number): boolean {
  return (
    diagonal === -round || (diagonal !== round && at(reached, diagonal - 1, round) < at(reached, diagonal + 1, round))
  );
}

/** The old place at which a round enters a diagonal. */
function entryOf(reached: Int32Array, diagonal: number, round: number): number {
  return goesDown(reached, diagonal, round) ? at(reached, diagonal + 1, round) : at(reached, diagonal - 1, round) + 1;
}

function followEqual(olds: Int32Array, news: Int32Array, from: number, diagonal: number): number {
  let place = from;
  while (place < olds.length && place - diagonal < news.length && olds[place] === news[place - diagonal]) {
    place += 1;
  }
  return place;
}

function traceBack(rounds: readonly Int32Array[], oldLength: number, newLength: number): readonly ChangedRange[] {
  const ranges: ChangedRange[] = [];
  let oldPlace = oldLength;
  let newPlace = newLength;
  for (let round = rounds.length - 1; round > 0; round -= 1) {
    const reached = rounds[round] ?? new Int32Array();
    const diagonal = oldPlace - newPlace;
    const isAdded = goesDown(reached, diagonal, round);
    const earlier = isAdded ? diagonal + 1 : diagonal - 1;
    const oldStart = at(reached, earlier, round);
    const newStart = oldStart - earlier;
    const [oldEnd, newEnd] = isAdded ? [oldStart, newStart + 1] : [oldStart + 1, newStart];
    joinBefore(ranges, { oldStart, oldEnd, newStart, newEnd });
    oldPlace = oldStart;
    newPlace = newStart;
  }
  return ranges.reverse();
}

/** Adds a range that lies directly before the last one, or further in front, to ranges in reverse order. */
function joinBefore(ranges: ChangedRange[], range: ChangedRange): void {
  const last = ranges.at(-1);
  if (last === undefined || last.oldStart !== range.oldEnd || last.newStart !== range.newEnd) {
    ranges.push(range);
    return;
  }
  ranges[ranges.length - 1] = { ...range, oldEnd: last.oldEnd, newEnd: last.newEnd };
}

function shift({ oldStart, oldEnd, newStart, newEnd }: ChangedRange, by: number): ChangedRange {
  return { oldStart: oldStart + by, oldEnd: oldEnd + by, newStart: newStart + by, newEnd: newEnd + by };
}

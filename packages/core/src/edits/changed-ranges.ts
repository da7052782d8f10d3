/** Lines that differ: those from `oldStart` to before `oldEnd` are gone, those from `newStart` to before `newEnd` are there. */
export type ChangedRange = {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
};

/** More lines that differ than this are rewritten text, of which no reader follows the least difference. */
const maxDifferences = 1_000;

/** Some 30 ms. */
const maxSteps = 5_000_000;

/**
 * What has to change for one list of lines to become the other, in order: the least that is possible (Myers), or everything between what
 * both begin and end with where finding the least would take long.
 */
export function findChangedRanges(before: readonly string[], after: readonly string[]): readonly ChangedRange[] {
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

/** Equal lines get equal numbers: numbers are compared at once. */
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
 * Goes forward on every diagonal, one difference more in each round. Returns how far each round had come before it began; null when it takes
 * too long. Diagonal `k`, old place less new place, lies at `k + round` in the list of its round.
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

/** The furthest old place on a diagonal when the round began. The list holds one diagonal more on either side than were reached. */
function at(reached: Int32Array, diagonal: number, round: number): number {
  return reached[diagonal + round + 1] ?? 0;
}

/** Whether the furthest place on a diagonal is reached by adding a line rather than by removing one. */
function goesDown(reached: Int32Array, diagonal: number, round: number): boolean {
  return (
    diagonal === -round || (diagonal !== round && at(reached, diagonal - 1, round) < at(reached, diagonal + 1, round))
  );
}

/** The old place at which a round comes onto a diagonal. */
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

/** Adds a range that comes right before the last one, or lies further in front, to ranges in reverse order. */
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

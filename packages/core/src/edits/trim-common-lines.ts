export type TrimOptions = {
  readonly before: string;
  readonly after: string;
  /** How many of the lines that both texts share are kept at either end. */
  readonly contextLines: number;
};

export type TrimmedTexts = {
  readonly before: string;
  readonly after: string;
  /** The line of both texts that they begin with, from 1. */
  readonly firstLine: number;
};

/** Leaves out the whole lines that two texts begin and end with: a large file with few changes needs no lists of its lines. */
export function trimCommonLines({ before, after, contextLines }: TrimOptions): TrimmedTexts {
  const same = commonLength(before, after);
  const start = linesBack(before, same, contextLines + 1);
  const end = commonEnd(before, after, same);
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

function commonEnd(before: string, after: string, start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let count = 0;
  while (count < most && before.charCodeAt(before.length - 1 - count) === after.charCodeAt(after.length - 1 - count)) {
    count += 1;
  }
  return count;
}

/** Where the line begins that lies so many beginnings of lines before `place`; 0 where there are fewer. */
function linesBack(text: string, place: number, count: number): number {
  let start = place;
  for (let found = 0; found < count && start > 0; found += 1) {
    start = text.lastIndexOf('\n', start - (found === 0 ? 1 : 2)) + 1;
  }
  return start;
}

/** Where the line ends that lies so many ends of lines after `place`; the end of the text where there are fewer. */
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

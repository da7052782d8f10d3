import type { LineRange } from '../ports/context-resolver.ts';
import { type LineSource, type LocatedLines, locateLines } from './locate-lines.ts';
import type { AskedLines } from './parse-line-range.ts';
import { mergeLineRanges } from './parse-line-range.ts';

/** The selection of one of the caller's names. */
export type LinesRequest = {
  /** The name as the caller wrote it. */
  readonly source: string;
  readonly asked: AskedLines;
};

/** A part of the file to send. */
export type LinesPart = LocatedLines & {
  readonly isWholeFile: boolean;
  /** The names that asked for it or for a piece of it. */
  readonly sources: readonly string[];
};

export type LinesPlan = {
  /** In the order of the file, none touching another. */
  readonly parts: readonly LinesPart[];
  /** Names whose lines do not exist. If one of several ranges exists, it is sent and the name is not listed. */
  readonly misses: readonly { readonly source: string; readonly detail: string }[];
};

/**
 * Finds the lines of one file that the caller's names select. Ranges that touch or overlap become one part, and a range that ends beyond the last
 * line ends there. `start` and `end` of a part count in the unit of `file.codeAt`: UTF-16 code units or bytes. Yields after each bounded piece of
 * work; `finishSteps` runs it without pauses.
 */
export function* planLines(file: LineSource, requests: readonly LinesRequest[]): Generator<undefined, LinesPlan> {
  const { parts, lineCount } = yield* locateLines(file, mergeLineRanges(requests.flatMap(rangesOf)));
  // If a range lies beyond the end, the whole file was scanned.
  const lastLine = lineCount ?? Number.POSITIVE_INFINITY;
  const beyond = `the file has ${lastLine} ${lastLine === 1 ? 'line' : 'lines'}`;
  return {
    parts: parts.map((part) => ({
      ...part,
      isWholeFile: part.end - part.start === file.length,
      sources: requests.filter((request) => asksFor(request, part.lines)).map(({ source }) => source),
    })),
    misses: requests.flatMap(({ source, asked }) => {
      if (!asked.ok) {
        return [{ source, detail: asked.problem }];
      }
      return asked.ranges.some(({ first }) => first > lastLine) ? [{ source, detail: beyond }] : [];
    }),
  };
}

function rangesOf({ asked }: LinesRequest): readonly LineRange[] {
  return asked.ok ? asked.ranges : [];
}

function asksFor(request: LinesRequest, lines: LineRange): boolean {
  return rangesOf(request).some(({ first }) => first >= lines.first && first <= lines.last);
}

/** Runs pausable work to its end without pauses and returns its result. For work known to be small. */
export function finishSteps<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
  }
}

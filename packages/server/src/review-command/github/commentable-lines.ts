import type { Finding } from '@gemini-mcp/core';
import { member } from './read-pull-request-run.ts';

type Range = { readonly first: number; readonly last: number };

/** The ranges of lines that GitHub's diff shows, by path: comments may lie nowhere else. */
export type LinesOfDiff = ReadonlyMap<string, readonly Range[]>;

/** Reads the files of a pull request, as GitHub lists them. */
export function commentableLines(files: readonly unknown[]): LinesOfDiff {
  return new Map(
    files.flatMap((file): [string, Range[]][] => {
      const [path, patch] = [member(file, 'filename'), member(file, 'patch')];
      return typeof path === 'string' && typeof patch === 'string' ? [[path, rangesIn(patch)]] : [];
    }),
  );
}

function rangesIn(patch: string): Range[] {
  return [...patch.matchAll(/^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, start, count = '1']) =>
    count === '0' ? [] : [{ first: Number(start), last: Number(start) + Number(count) - 1 }],
  );
}

/** The place of a finding in the form of GitHub's API; null if its last line is not in the diff. */
export function placeComment({ path, lines }: Pick<Finding, 'path' | 'lines'>, known: LinesOfDiff): object | null {
  const range =
    lines === null ? undefined : known.get(path)?.find(({ first, last }) => first <= lines.last && lines.last <= last);
  if (lines === null || range === undefined) {
    return null;
  }
  const first = Math.max(lines.first, range.first);
  const start = first < lines.last ? { start_line: first, start_side: 'RIGHT' } : {};
  return { path, line: lines.last, side: 'RIGHT', ...start };
}

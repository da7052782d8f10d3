import type { Hunk } from './parse-patch.ts';

/** How a file on disk relates to a patch of it: `after` it already has the patch, or null if neither fits. */
export function textAfterPatch(text: string, hunks: readonly Hunk[]): string | null {
  const lines = text.split('\n');
  const isApplied = hunks.every(({ newStart, lines: ofHunk }) =>
    fitsAt(
      lines,
      Math.max(0, newStart - 1),
      ofHunk.filter(({ kind }) => kind !== '-').map((line) => line.text),
    ),
  );
  return isApplied ? text : applyHunks(lines, hunks);
}

/** Null if a hunk does not fit at its line. */
function applyHunks(lines: readonly string[], hunks: readonly Hunk[]): string | null {
  const after: string[] = [];
  let place = 0;
  for (const { oldStart, lines: ofHunk } of hunks) {
    const olds = ofHunk.filter(({ kind }) => kind !== '+').map((line) => line.text);
    const start = olds.length === 0 ? oldStart : oldStart - 1;
    if (start < place || !fitsAt(lines, start, olds)) {
      return null;
    }
    after.push(...lines.slice(place, start), ...ofHunk.filter(({ kind }) => kind !== '-').map((line) => line.text));
    place = start + olds.length;
  }
  return [...after, ...lines.slice(place)].join('\n');
}

/** Compared without carriage returns at line ends. */
function fitsAt(lines: readonly string[], start: number, wanted: readonly string[]): boolean {
  return (
    start + wanted.length <= lines.length &&
    wanted.every((line, index) => lines[start + index]?.replace(/\r$/, '') === line)
  );
}

import type { PatchFile } from './parse-patch.ts';

export type PlacedLines = {
  /**
   * `changed`: on a line that the change added, or right at a removed one. `near`: among the lines that the diff shows. `outside`: elsewhere in a
   * file of the change. `unknown`: no such file, or no such lines.
   */
  readonly place: 'changed' | 'near' | 'outside' | 'unknown';
};

/** Where lines of a file after a change lie in its diff. `lineCount` is null if the file's text is unknown. */
export function placeLines(
  file: Pick<PatchFile, 'hunks'>,
  { first, last }: { readonly first: number; readonly last: number },
  lineCount: number | null,
): PlacedLines['place'] {
  if (first < 1 || last < first) {
    return 'unknown';
  }
  const near = file.hunks.filter((hunk) => first <= hunk.newStart + hunk.newCount - 1 && last >= hunk.newStart);
  const isChanged = near.some(({ lines }) =>
    lines.some(({ kind, newLine }) => kind !== ' ' && first <= newLine && newLine <= last),
  );
  if (isChanged) {
    return 'changed';
  }
  if (near.length > 0) {
    return 'near';
  }
  return lineCount !== null && last <= lineCount ? 'outside' : 'unknown';
}

import { textOf } from './git.ts';

/** One changed path, as `git diff --raw -z` tells it. */
export type RawEntry = {
  readonly status: 'added' | 'modified' | 'deleted' | 'unmerged';
  /** The path after the change; that of a deleted file before it. */
  readonly path: string;
  /** Null if it is the same. */
  readonly previousPath: string | null;
  /** Octal, such as `100644`; `000000` for a deleted file. */
  readonly mode: string;
  readonly previousMode: string;
  /** The id of the content after the change; all zeros if Git has to read it from the working tree. */
  readonly blob: string;
};

const statuses: Readonly<Record<string, RawEntry['status']>> = { A: 'added', D: 'deleted', U: 'unmerged' };

/** Reads the output of `git diff --raw -z --no-abbrev`, with one character for each byte. */
export function readRawEntries(output: string): readonly RawEntry[] {
  const fields = output.split('\0');
  const entries: RawEntry[] = [];
  for (let place = 0; place < fields.length - 1; ) {
    const [previousMode = '', mode = '', , blob = '', letters = ''] = fieldAt(fields, place).slice(1).split(' ');
    const letter = letters.slice(0, 1);
    const isMoved = letter === 'R' || letter === 'C';
    const first = textOf(fieldAt(fields, place + 1));
    const path = isMoved ? textOf(fieldAt(fields, place + 2)) : first;
    const previousPath = letter === 'R' ? first : null;
    entries.push({ status: statuses[letter] ?? 'modified', path, previousPath, mode, previousMode, blob });
    place += isMoved ? 3 : 2;
  }
  return entries;
}

function fieldAt(fields: readonly string[], place: number): string {
  return fields[place] ?? '';
}

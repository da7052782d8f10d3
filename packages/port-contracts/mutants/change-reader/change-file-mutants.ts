import { type ChangeReaderMutant, reading } from './change-reader-mutant.ts';

/** Mutants of the files of a change. */
export const fileMutants: readonly ChangeReaderMutant[] = [
  {
    name: 'loses-a-file',
    wrong: 'leaves the last file out',
    change: reading((opened) => ({ ...opened, files: opened.files.slice(0, -1) })),
  },
  {
    name: 'tells-twice',
    wrong: 'lists a file twice',
    change: reading((opened) => ({ ...opened, files: opened.files.flatMap((file) => [file, file]) })),
  },
  {
    name: 'unsorted',
    wrong: 'lists the files in another order',
    change: reading((opened) => ({ ...opened, files: opened.files.toReversed() })),
  },
  {
    name: 'without-text',
    wrong: 'leaves the whole text out',
    change: reading((opened) => ({ ...opened, files: opened.files.map((file) => ({ ...file, text: null })) })),
  },
  {
    name: 'all-modified',
    wrong: 'says of every file that it was modified',
    change: reading((opened) => ({
      ...opened,
      files: opened.files.map((file) => ({ ...file, status: 'modified' })),
    })),
  },
  {
    name: 'reversed-diff',
    wrong: 'shows the diff from the new side to the old one',
    change: reading((opened) => ({
      ...opened,
      files: opened.files.map((file) => ({
        ...file,
        patch: file.patch.replace(/^[-+](?![-+])/gm, (sign) => (sign === '-' ? '+' : '-')),
      })),
    })),
  },
  {
    name: 'silent-about-secrets',
    wrong: 'does not list a file that looks like a secret',
    change: reading((opened) => ({ ...opened, unread: [] })),
  },
  {
    name: 'reads-secrets',
    wrong: 'gives the text of a file that looks like a secret',
    change: reading((opened) => ({
      ...opened,
      readTexts: async (paths, signal) =>
        new Map([...(await opened.readTexts(paths, signal)), ...paths.map((path) => [path, 'TOKEN=2\n'] as const)]),
    })),
  },
  {
    name: 'always-something',
    wrong: 'finds a change although nothing changed',
    change: reading((opened) => ({
      ...opened,
      unread: [...opened.unread, { path: 'src/plain.md', reason: 'no-lines' }],
    })),
  },
];

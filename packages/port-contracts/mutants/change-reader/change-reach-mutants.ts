import { asking, type ChangeReaderMutant, reading } from './change-reader-mutant.ts';

const never = new AbortController().signal;

/** Mutants of patches, searches, roots and endings. */
export const reachMutants: readonly ChangeReaderMutant[] = [
  {
    name: 'ignores-roots',
    wrong: 'reads a directory outside the roots',
    change: asking((request) => ({ ...request, directory: request.roots[0] ?? request.directory })),
  },
  {
    name: 'mends-patches',
    wrong: 'takes a patch that was cut',
    change: asking((request) =>
      request.selection.type === 'patch' && !request.selection.text.endsWith('\n')
        ? { ...request, selection: { type: 'working' } }
        : request,
    ),
  },
  {
    name: 'ignores-patch',
    wrong: 'reads the working tree instead of the given patch',
    change: asking((request) => ({ ...request, selection: { type: 'working' } })),
  },
  {
    name: 'follows-patch',
    wrong: 'follows a patch out of the directory',
    change: reading((opened) => ({
      ...opened,
      unread: opened.unread.filter(({ reason }) => reason !== 'outside-roots'),
    })),
  },
  {
    name: 'finds-nothing',
    wrong: 'finds no mention',
    change: reading((opened) => ({ ...opened, findMentions: async () => [] })),
  },
  {
    name: 'finds-anywhere',
    wrong: 'finds mentions in files with any ending',
    change: reading((opened) => ({
      ...opened,
      findMentions: (search, signal) => opened.findMentions({ ...search, endings: [''] }, signal),
    })),
  },
  {
    name: 'fails-silently',
    wrong: 'takes a search that cannot end for one that found nothing',
    change: reading((opened) => ({
      ...opened,
      findMentions: async (search, signal) => (await opened.findMentions(search, signal)) ?? [],
    })),
  },
  {
    name: 'knows-no-tree',
    wrong: 'lists no path',
    change: reading((opened) => ({ ...opened, listPaths: async () => [] })),
  },
  {
    name: 'never-closes',
    wrong: 'leaves what a reading holds',
    change: reading((opened) => ({ ...opened, close: async () => undefined })),
  },
  {
    name: 'closes-once',
    wrong: 'rejects the second close',
    change: reading((opened) => {
      let isOpen = true;
      return {
        ...opened,
        close: async () => {
          if (!isOpen) {
            throw new Error('closed already');
          }
          isOpen = false;
          await opened.close();
        },
      };
    }),
  },
  {
    name: 'ignores-abort',
    wrong: 'reads with a signal that is aborted',
    change: (right) => ({ read: (request) => right.read(request, never) }),
  },
  {
    name: 'leaves-listener',
    wrong: 'leaves a listener on the signal',
    change: (right) => ({
      read: (request, signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.read(request, signal);
      },
    }),
  },
  {
    name: 'never-reads',
    wrong: 'never answers',
    hangs: true,
    change: () => ({ read: () => new Promise(() => undefined) }),
  },
];

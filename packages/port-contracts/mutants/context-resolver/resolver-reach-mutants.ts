import {
  changingBundle,
  changingPlace,
  changingSelection,
  createRightResolver,
  type ResolverMutant,
  withoutEntries,
} from './resolver-mutant.ts';

/** Mutants of readable files and their names. */
export const reachMutants: readonly ResolverMutant[] = [
  {
    name: 'sibling-directories',
    wrong: 'takes `src2` for a part of `src`',
    create: changingSelection(({ directories }, { tree }) => ({
      directories: directories.flatMap((name) => [
        name,
        ...Object.keys(tree)
          .map((path) => path.split('/').slice(0, -1).join('/'))
          .filter((directory) => name !== '.' && directory.startsWith(name) && !directory.startsWith(`${name}/`)),
      ]),
    })),
  },
  {
    name: 'root-by-prefix',
    wrong: 'takes a directory next to the root for a part of it because its name begins alike',
    create: changingBundle(({ documents, leftOut }, _, { outside }) => {
      const reached = leftOut.filter(({ reason, path }) => reason === 'outside-roots' && path.includes('project2'));
      const text = String(outside['project2/secret.txt']);
      return {
        documents: [
          ...documents,
          ...reached.map(({ path, origin }) => ({ path, text, sizeBytes: text.length, origin })),
        ],
        leftOut: leftOut.filter((entry) => !reached.includes(entry)),
      };
    }),
  },
  {
    name: 'follows-no-links',
    wrong: 'refuses links to files inside',
    create: changingPlace(({ links }) => ({
      links: Object.fromEntries(Object.keys(links).map((path) => [path, '../elsewhere'])),
    })),
  },
  {
    name: 'hides-links-out',
    wrong: 'does not report a link that leads outside',
    create: withoutEntries(({ path, reason }) => reason === 'outside-roots' && /^(?:to-|dir\/up)/.test(path)),
  },
  {
    name: 'refuses-absolute',
    wrong: 'refuses absolute paths below the working directory',
    create: changingSelection(({ files }) => ({
      files: files.map((name) => (name.startsWith('/project/') ? '/elsewhere' : name)),
    })),
  },
  {
    name: 'missing-for-outside',
    wrong: 'reports paths outside the root as not-found',
    create: changingBundle(({ leftOut }) => ({
      leftOut: leftOut.map((entry) => (entry.reason === 'outside-roots' ? { ...entry, reason: 'not-found' } : entry)),
    })),
  },
  {
    name: 'names-without-case',
    wrong: 'finds `a.ts` by `A.ts`',
    create: changingSelection(({ files }, { tree }) => {
      const same = (name: string): string =>
        Object.keys(tree).find((path) => path.toLowerCase() === name.toLowerCase()) ?? name;
      return { files: files.map((name) => (name in tree ? name : same(name))) };
    }),
  },
  {
    name: 'ignores-named-files',
    wrong: 'leaves out a named file because an ignore file excludes it',
    create: changingBundle(({ documents }, _, { tree }) => ({
      documents: documents.filter(({ path }) => !('.gitignore' in tree && path.split('/').includes('out'))),
    })),
  },
  {
    name: 'lists-ignored-files',
    wrong: 'reports files that an ignore file excludes',
    create: changingBundle(({ leftOut }, _, { tree }) => ({
      leftOut:
        '.gitignore' in tree
          ? [...leftOut, { path: 'src/out/y.ts', reason: 'not-found', origin: 'directory' }]
          : leftOut,
    })),
  },
  {
    name: 'shallow-walk',
    wrong: 'walks at most fifty directories deep',
    create: changingBundle(({ documents }) => ({
      documents: documents.filter(({ path }) => path.split('/').length <= 50),
    })),
  },
  {
    name: 'throws-for-bad-name',
    wrong: 'rejects for a name with NUL in it',
    create: (place) => {
      const right = createRightResolver(place);
      return {
        resolve: async (selection, signal) => {
          if (selection.files.some((name) => name.includes('\0'))) {
            throw new TypeError('a path must not hold NUL');
          }
          return right.resolve(selection, signal);
        },
      };
    },
  },
  {
    name: 'throws-for-long-pattern',
    wrong: 'rejects for a pattern that no file system accepts',
    create: (place) => {
      const right = createRightResolver(place);
      return {
        resolve: async (selection, signal) => {
          if (selection.globPatterns.some((pattern) => pattern.length > 255)) {
            throw new Error('ENAMETOOLONG');
          }
          return right.resolve(selection, signal);
        },
      };
    },
  },
];

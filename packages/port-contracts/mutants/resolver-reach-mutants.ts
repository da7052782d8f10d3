import {
  changingBundle,
  changingDocuments,
  changingPlace,
  changingSelection,
  createRightResolver,
  type ResolverMutant,
  withoutEntries,
} from './resolver-mutant.ts';

type Contents = Readonly<Record<string, string | Uint8Array>>;

/** Files outside that links lead to, by the names that they have through the links. */
function linkedFiles(links: Readonly<Record<string, string>>, outside: Contents): Contents {
  const found = Object.entries(links).flatMap(([link, target]) =>
    Object.entries(outside).flatMap(([path, content]) => {
      const isBelow = `../${path}`.startsWith(`${target}/`);
      const name = `${link}${`../${path}`.slice(target.length)}`;
      return isBelow || `../${path}` === target ? [[name, content] as const] : [];
    }),
  );
  return Object.fromEntries(found);
}

function insideOnly(links: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(links).filter(([, target]) => !target.startsWith('..')));
}

/** What they may read, and by which names. */
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
    wrong: 'takes a directory next to the root for a part of it when its name begins alike',
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
    name: 'follows-links-out',
    wrong: 'follows links that lead outside',
    create: changingPlace(({ tree, links, outside }) => ({
      tree: { ...tree, ...linkedFiles(links, outside) },
      links: insideOnly(links),
    })),
  },
  {
    name: 'follows-directory-links-out',
    wrong: 'looks at the links of files only, not at those of directories above them',
    create: changingPlace(({ tree, links, outside }) => {
      const directories = Object.fromEntries(
        Object.entries(links).filter(([, target]) => target.startsWith('..') && !target.endsWith('.txt')),
      );
      return {
        tree: { ...tree, ...linkedFiles(directories, outside) },
        links: Object.fromEntries(Object.entries(links).filter(([path]) => !(path in directories))),
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
    wrong: 'says nothing about a link that leads outside',
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
    name: 'absolute-paths',
    wrong: 'gives absolute paths for files below the working directory',
    create: changingDocuments((document) => ({ ...document, path: `/project/${document.path}` })),
  },
  {
    name: 'missing-for-outside',
    wrong: 'calls not-found what lies outside',
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
    name: 'ignores-ignore-files',
    wrong: 'sends what an ignore file excludes',
    create: changingPlace(({ tree }) => {
      const { '.gitignore': _, ...rest } = tree;
      return { tree: rest };
    }),
  },
  {
    name: 'ignores-named-files',
    wrong: 'leaves out a named file that an ignore file excludes',
    create: changingBundle(({ documents }, _, { tree }) => ({
      documents: documents.filter(({ path }) => !('.gitignore' in tree && path.split('/').includes('out'))),
    })),
  },
  {
    name: 'lists-ignored-files',
    wrong: 'lists what an ignore file excludes as left out',
    create: changingBundle(({ leftOut }, _, { tree }) => ({
      leftOut:
        '.gitignore' in tree
          ? [...leftOut, { path: 'src/out/y.ts', reason: 'not-found', origin: 'directory' }]
          : leftOut,
    })),
  },
  {
    name: 'shallow-walk',
    wrong: 'walks no deeper than fifty directories',
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
    wrong: 'rejects for a pattern that no file system takes',
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
  {
    name: 'hides-missing',
    wrong: 'says nothing about a file that does not exist',
    create: withoutEntries(({ reason, origin }) => reason === 'not-found' && origin === 'file'),
  },
  {
    name: 'hides-missing-directory',
    wrong: 'says nothing about a directory that does not exist',
    create: withoutEntries(({ reason, origin }) => reason === 'not-found' && origin === 'directory'),
  },
  {
    name: 'tidies-names',
    wrong: 'lists `./none.ts` as `none.ts`',
    create: changingBundle(({ leftOut }) => ({
      leftOut: leftOut.map((entry) => ({ ...entry, path: entry.path.replace(/^\.\//, '') })),
    })),
  },
  {
    name: 'directory-as-file',
    wrong: 'reads all of a directory that is named among the files',
    create: changingSelection(({ files, directories }, { tree }) => {
      const isDirectory = (name: string): boolean => Object.keys(tree).some((path) => path.startsWith(`${name}/`));
      return {
        files: files.filter((name) => !isDirectory(name)),
        directories: [...directories, ...files.filter(isDirectory)],
      };
    }),
  },
];

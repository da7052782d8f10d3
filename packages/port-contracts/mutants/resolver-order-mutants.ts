import type { ContextDocument } from '@gemini-mcp/core';
import { changingBundle, createRightResolver, type ResolverMutant, sortingBy } from './resolver-mutant.ts';

/** The order of their documents. */
export const orderMutants: readonly ResolverMutant[] = [
  {
    name: 'sorts-by-locale',
    wrong: 'sorts paths as a dictionary does',
    create: sortingBy((one, other) => one.path.localeCompare(other.path, 'en')),
  },
  {
    name: 'sorts-by-number',
    wrong: 'sorts `a2` before `a10`',
    create: sortingBy((one, other) => {
      const names = [one, other].map(({ path }) => path.replace(/\d+/g, (digits) => digits.padStart(5, '0')));
      return (names[0] ?? '') < (names[1] ?? '') ? -1 : 1;
    }),
  },
  {
    name: 'sorts-by-directory',
    wrong: 'sorts directory by directory instead of whole paths',
    create: sortingBy((one, other) =>
      one.path.replaceAll('/', '\u0000') < other.path.replaceAll('/', '\u0000') ? -1 : 1,
    ),
  },
  {
    name: 'sorts-all-together',
    wrong: 'sorts files, globs and directories as one list',
    create: changingBundle(({ documents }) => ({
      documents: documents.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    })),
  },
  {
    name: 'order-of-caller',
    wrong: 'leaves named files in the order in which they were named',
    create: changingBundle(({ documents }, { files }) => {
      const isNamed = ({ path }: ContextDocument): boolean => files.includes(path);
      const named = documents
        .filter(isNamed)
        .toSorted((one, other) => files.indexOf(one.path) - files.indexOf(other.path));
      return { documents: [...named, ...documents.filter((document) => !isNamed(document))] };
    }),
  },
  {
    name: 'repeats-files',
    wrong: 'sends a file again that a pattern names, too',
    create: (place) => {
      const right = createRightResolver(place);
      return {
        resolve: async (selection, signal) => {
          const bundle = await right.resolve(selection, signal);
          const again = await right.resolve({ ...selection, files: [], directories: [] }, signal);
          const known = bundle.documents.filter(({ origin }) => origin === 'file').map(({ path }) => path);
          const twice = again.documents.filter(({ path }) => known.includes(path));
          return { ...bundle, documents: [...bundle.documents, ...twice] };
        },
      };
    },
  },
  {
    name: 'last-origin',
    wrong: 'names the last of the lists that named a file, not the first',
    create: changingBundle(({ documents }, { globPatterns, directories }) => ({
      documents: documents.map((document) =>
        document.origin === 'file' && (globPatterns.includes(document.path) || directories.includes('.'))
          ? { ...document, origin: 'directory' }
          : document,
      ),
    })),
  },
];

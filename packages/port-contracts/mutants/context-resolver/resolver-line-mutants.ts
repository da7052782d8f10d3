import {
  changingBundle,
  changingDocuments,
  changingPlace,
  createRightResolver,
  type ResolverMutant,
} from './resolver-mutant.ts';

/** Mutants of line ranges. */
export const lineMutants: readonly ResolverMutant[] = [
  {
    name: 'lines-not-told',
    wrong: 'does not say which lines it sends',
    create: changingDocuments(({ lines: _, ...document }) => document),
  },
  {
    name: 'end-not-lowered',
    wrong: "repeats the caller's end of a range that ends after the file",
    create: changingBundle(({ documents }, { files }) => ({
      documents: documents.map((document) => {
        const end = /-(\d{1,4})$/.exec(files.find((name) => name.startsWith(`${document.path}:`)) ?? '')?.[1];
        const { lines } = document;
        return lines === undefined || end === undefined
          ? document
          : { ...document, lines: { ...lines, last: Math.max(lines.last, Number(end)) } };
      }),
    })),
  },
  {
    name: 'name-before-file',
    wrong: 'takes `a:1` for a line of `a` although a file has that name',
    create: changingPlace(({ tree }) => ({
      tree: Object.fromEntries(Object.entries(tree).filter(([path]) => !(path === 'a:1' && 'a' in tree))),
    })),
  },
  {
    name: 'lines-hide-the-file',
    wrong: 'does not send a whole file from a directory if lines of it were named',
    create: changingBundle(({ documents }) => ({
      documents: documents.filter(
        (document) =>
          document.origin !== 'directory' ||
          !documents.some(({ path, lines }) => path === document.path && lines !== undefined),
      ),
    })),
  },
  {
    name: 'parts-not-merged',
    wrong: 'sends lines twice if two names share them',
    create: (place) => {
      const right = createRightResolver(place);
      return {
        resolve: async (selection, signal) => {
          const bundle = await right.resolve(selection, signal);
          const isShared = selection.files.length > 1 && selection.files.every((name) => /:[-\d,]+$/.test(name));
          if (!isShared) {
            return bundle;
          }
          const each = selection.files.map((name) => right.resolve({ ...selection, files: [name] }, signal));
          return { ...bundle, documents: (await Promise.all(each)).flatMap(({ documents }) => documents) };
        },
      };
    },
  },
  {
    name: 'lines-of-nothing-whole',
    wrong: 'sends the whole file if the lines are missing',
    create: changingBundle(({ documents, leftOut }, _, { tree }) => ({
      documents: [
        ...documents,
        ...leftOut
          .filter(({ path, reason }) => reason === 'no-such-lines' && path.length < 40)
          .map(({ path, origin }) => {
            const name = path.replace(/:.*$/, '');
            const text = String(tree[name]);
            return { path: name, text, sizeBytes: Buffer.byteLength(text), origin };
          }),
      ],
    })),
  },
];

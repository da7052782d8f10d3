import {
  changingBundle,
  changingDocuments,
  changingPlace,
  changingTexts,
  type ResolverMutant,
} from './resolver-mutant.ts';

/** Mutants of texts. */
export const textMutants: readonly ResolverMutant[] = [
  {
    name: 'adds-line-end',
    wrong: 'adds a line end at the end',
    create: changingTexts((text) => text.replace(/[^\n]$/, '$&\n')),
  },
  { name: 'composes', wrong: 'composes accents (NFC)', create: changingTexts((text) => text.normalize('NFC')) },
  {
    name: 'drops-control-characters',
    wrong: 'drops control characters',
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the mutant drops them.
    create: changingTexts((text) => text.replace(/[\u0001-\u0008\u001b]/g, '')),
  },
  {
    name: 'escapes-markup',
    wrong: 'escapes text that looks like markup',
    create: changingTexts((text) => text.replaceAll('<', '&lt;')),
  },
  {
    name: 'size-in-characters',
    wrong: 'gives sizes in characters instead of bytes',
    create: changingDocuments((document) => ({ ...document, sizeBytes: document.text.length })),
  },
  {
    name: 'decodes-with-loss',
    wrong: 'replaces bytes that are not UTF-8',
    create: changingPlace(({ tree }) => ({
      tree: Object.fromEntries(
        Object.entries(tree).map(([path, content]) =>
          path === 'latin1.txt' ? [path, Buffer.from(content).toString('utf8')] : [path, content],
        ),
      ),
    })),
  },
  {
    name: 'sends-binary',
    wrong: 'sends a file with NUL in it',
    create: changingBundle(({ documents, leftOut }) => ({
      documents: [
        ...documents,
        ...leftOut
          .filter(({ reason }) => reason === 'binary')
          .map(({ path, origin }) => ({ path, origin, text: 'a\0b', sizeBytes: 3 })),
      ],
      leftOut: leftOut.filter(({ reason }) => reason !== 'binary'),
    })),
  },
  {
    name: 'drops-empty-files',
    wrong: 'does not send empty files',
    create: changingBundle(({ documents }) => ({ documents: documents.filter(({ text }) => text !== '') })),
  },
];

import type { ContextDocument } from '@gemini-mcp/core';
import {
  changingBundle,
  changingSelection,
  limitingBytes,
  type ResolverMutant,
  withoutEntries,
} from './resolver-mutant.ts';

function selectFitting(
  documents: readonly ContextDocument[],
  max: number,
  sizeOf: (document: ContextDocument) => number,
): ReadonlySet<ContextDocument> {
  let used = 0;
  return new Set(
    documents.filter((document) => {
      const fits = used + sizeOf(document) <= max;
      used += fits ? sizeOf(document) : 0;
      return fits;
    }),
  );
}

/** How much they send. */
export const limitMutants: readonly ResolverMutant[] = [
  {
    name: 'one-byte-more',
    wrong: 'sends one byte more than maxBytes',
    create: changingSelection(({ maxBytes }) => ({ maxBytes: maxBytes + 1 })),
  },
  {
    name: 'one-byte-less',
    wrong: 'leaves out what fits exactly',
    create: changingSelection(({ maxBytes }) => ({ maxBytes: maxBytes - 1 })),
  },
  {
    name: 'one-file-more',
    wrong: 'sends one file more than maxFiles',
    create: changingSelection(({ maxFiles }) => ({ maxFiles: maxFiles + 1 })),
  },
  {
    name: 'one-file-less',
    wrong: 'sends one file less than maxFiles',
    create: changingSelection(({ maxFiles }) => ({ maxFiles: maxFiles - 1 })),
  },
  {
    name: 'zero-is-no-limit',
    wrong: 'takes a limit of zero for none',
    create: changingSelection(({ maxBytes }) => ({ maxBytes: maxBytes || 1e9 })),
  },
  {
    name: 'limit-in-characters',
    wrong: 'holds maxBytes against characters',
    create: limitingBytes((documents, max) => selectFitting(documents, max, ({ text }) => text.length)),
  },
  {
    name: 'limit-per-file',
    wrong: 'holds maxBytes against each file',
    create: limitingBytes((documents, max) => new Set(documents.filter(({ sizeBytes }) => sizeBytes <= max))),
  },
  {
    name: 'stops-at-first',
    wrong: 'sends nothing after the first document that does not fit',
    create: limitingBytes((documents, max) => {
      const taken = selectFitting(documents, max, ({ sizeBytes }) => sizeBytes);
      const end = documents.findIndex((document) => !taken.has(document));
      return new Set(end < 0 ? documents : documents.slice(0, end));
    }),
  },
  {
    name: 'smallest-first',
    wrong: 'gives room to the smallest documents first',
    create: limitingBytes((documents, max) => {
      const bySize = documents.toSorted((one, other) => one.sizeBytes - other.sizeBytes);
      const taken = selectFitting(bySize, max, ({ sizeBytes }) => sizeBytes);
      return new Set(documents.filter((document) => taken.has(document)));
    }),
  },
  {
    name: 'cuts-documents',
    wrong: 'sends the beginning of a document that does not fit',
    create: changingBundle(({ documents, leftOut }, { maxBytes }, { tree }) => {
      const used = documents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      const [first] = leftOut.filter(({ path, reason }) => reason === 'over-byte-limit' && path in tree);
      const text = String(tree[first?.path ?? '']).slice(0, maxBytes - used);
      const cut = first === undefined ? [] : [{ path: first.path, origin: first.origin, text, sizeBytes: text.length }];
      return { documents: [...documents, ...cut] };
    }),
  },
  {
    name: 'hides-what-does-not-fit',
    wrong: 'says nothing about what does not fit',
    create: withoutEntries(({ reason }) => reason === 'over-byte-limit'),
  },
  {
    name: 'hides-files-over-limit',
    wrong: 'says nothing about files beyond maxFiles',
    create: withoutEntries(({ reason }) => reason === 'over-file-limit'),
  },
  {
    name: 'stops-looking-when-full',
    wrong: 'takes names that lead nowhere for files beyond maxFiles',
    create: changingBundle(({ documents, leftOut }, { maxFiles }) => ({
      leftOut:
        documents.length < maxFiles
          ? leftOut
          : leftOut.map((entry) => (entry.reason === 'not-found' ? { ...entry, reason: 'over-file-limit' } : entry)),
    })),
  },
];

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

/** Mutants of limits. */
export const limitMutants: readonly ResolverMutant[] = [
  {
    name: 'zero-is-no-limit',
    wrong: 'takes a limit of zero for no limit',
    create: changingSelection(({ maxBytes }) => ({ maxBytes: maxBytes || 1e9 })),
  },
  {
    name: 'limit-in-characters',
    wrong: 'compares maxBytes with characters',
    create: limitingBytes((documents, max) => selectFitting(documents, max, ({ text }) => text.length)),
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
    name: 'hides-what-does-not-fit',
    wrong: 'does not report what does not fit',
    create: withoutEntries(({ reason }) => reason === 'over-byte-limit'),
  },
  {
    name: 'hides-files-over-limit',
    wrong: 'does not report files beyond maxFiles',
    create: withoutEntries(({ reason }) => reason === 'over-file-limit'),
  },
  {
    name: 'stops-looking-when-full',
    wrong: 'reports names that lead nowhere as files beyond maxFiles',
    create: changingBundle(({ documents, leftOut }, { maxFiles }) => ({
      leftOut:
        documents.length < maxFiles
          ? leftOut
          : leftOut.map((entry) => (entry.reason === 'not-found' ? { ...entry, reason: 'over-file-limit' } : entry)),
    })),
  },
];

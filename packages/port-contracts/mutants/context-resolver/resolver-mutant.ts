import type { ContextBundle, ContextDocument, ContextResolver, ContextSelection, LeftOut } from '@gemini-mcp/core';
import { InMemoryContextResolver } from '@gemini-mcp/core/testing';
import type { ContextPlace } from '../../src/context-resolver/context-resolver-harness.ts';
import type { Mutant } from '../prove-mutants.ts';

export type CreateResolver = (place: ContextPlace) => ContextResolver;

export type ResolverMutant = Mutant & { readonly create: CreateResolver };

export const createRightResolver: CreateResolver = ({ tree, links, clock, directoryName }) =>
  new InMemoryContextResolver({ tree, links, clock, workingDirectory: `/${directoryName}` });

/** The right resolver in another place. */
export function changingPlace(change: (place: ContextPlace) => Partial<ContextPlace>): CreateResolver {
  return (place) => createRightResolver({ ...place, ...change(place) });
}

/** The right resolver with a changed request. */
export function changingSelection(
  change: (selection: ContextSelection, place: ContextPlace) => Partial<ContextSelection>,
): CreateResolver {
  return (place) => {
    const right = createRightResolver(place);
    return { resolve: (selection, signal) => right.resolve({ ...selection, ...change(selection, place) }, signal) };
  };
}

/** The right resolver with a changed result. */
export function changingBundle(
  change: (bundle: ContextBundle, selection: ContextSelection, place: ContextPlace) => Partial<ContextBundle>,
): CreateResolver {
  return (place) => {
    const right = createRightResolver(place);
    return {
      resolve: async (selection, signal) => {
        const bundle = await right.resolve(selection, signal);
        return { ...bundle, ...change(bundle, selection, place) };
      },
    };
  };
}

export function changingDocuments(change: (document: ContextDocument) => ContextDocument): CreateResolver {
  return changingBundle(({ documents }) => ({ documents: documents.map(change) }));
}

export function changingTexts(change: (text: string) => string): CreateResolver {
  return changingDocuments((document) => {
    const text = change(document.text);
    return { ...document, text, sizeBytes: Buffer.byteLength(text) };
  });
}

export function withoutEntries(isDropped: (entry: LeftOut) => boolean): CreateResolver {
  return changingBundle(({ leftOut }) => ({ leftOut: leftOut.filter((entry) => !isDropped(entry)) }));
}

/** Sorts the documents of each list of the caller by comparing their paths. */
export function sortingBy(compare: (one: ContextDocument, other: ContextDocument) => number): CreateResolver {
  return changingBundle(({ documents }) => ({
    documents: (['file', 'glob', 'directory'] as const).flatMap((origin) =>
      documents.filter((document) => document.origin === origin).toSorted(compare),
    ),
  }));
}

/** Keeps as many documents as a rule says, and lists the others as over-byte-limit. */
export function limitingBytes(
  selectTaken: (documents: readonly ContextDocument[], maxBytes: number) => ReadonlySet<ContextDocument>,
): CreateResolver {
  return (place) => {
    const right = createRightResolver(place);
    return {
      resolve: async (selection, signal) => {
        const all = await right.resolve({ ...selection, maxBytes: Number.MAX_SAFE_INTEGER }, signal);
        const taken = selectTaken(all.documents, selection.maxBytes);
        const dropped = all.documents.filter((document) => !taken.has(document));
        const entries = dropped.map(({ path, origin }): LeftOut => ({ path, origin, reason: 'over-byte-limit' }));
        return { ...all, documents: [...taken], leftOut: [...all.leftOut, ...entries] };
      },
    };
  };
}

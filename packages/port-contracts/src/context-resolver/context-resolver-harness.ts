import type { Clock, ContextBundle, ContextResolver, ContextSelection, LeftOut } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { expect } from 'vitest';
import type { Proof } from '../proof.ts';
import { showValue } from '../show-value.ts';

/** Files by their paths, with `/`. */
export type FileTree = Readonly<Record<string, string | Uint8Array>>;

/** The files of a test. */
export type ContextPlace = {
  /** The last name of the working directory, the only root. */
  readonly directoryName: string;
  /** Files below the working directory. */
  readonly tree: FileTree;
  /** Files next to the working directory, outside every root: paths below its parent directory. */
  readonly outside: FileTree;
  /** Symbolic links below the working directory, with their targets relative to the working directory. */
  readonly links: Readonly<Record<string, string>>;
  /** The resolver's only clock. */
  readonly clock: Clock;
};

export type ContextResolverHarness = {
  readonly resolver: ContextResolver;
  /** The absolute path of the working directory, as a caller writes it. */
  readonly workingDirectory: string;
  readonly dispose: () => Promise<void>;
};

/** The features of the place. Each declared feature is tested, and `create` must provide it. */
export type ContextResolverFeatures = {
  /** Symbolic links. */
  readonly links: boolean;
  /** `a.ts` and `A.ts` are two files. */
  readonly caseSensitive: boolean;
  /** `.gitignore` excludes files from walks and patterns. */
  readonly ignoreFiles: boolean;
};

/** Creates the directory and a resolver for it. Missing fields are empty; the clock does not move. */
type OpenPlace = (place: Partial<ContextPlace>) => Promise<ContextResolverHarness>;

/** Resolves a selection in a directory of its own with these files; `selectionOf` gives the defaults. */
type ResolveTree = (tree: FileTree, fields: Partial<ContextSelection>, signal?: AbortSignal) => Promise<ContextBundle>;

export type ContextResolverSubject = {
  readonly proof: Proof;
  readonly open: OpenPlace;
  readonly resolve: ResolveTree;
  readonly features: ContextResolverFeatures;
};

export const sourceTree: FileTree = {
  'b.ts': 'b',
  'a.ts': 'a',
  'src/z.ts': 'z',
  'src/deep/er/y.ts': 'y',
  'docs/x.md': 'x',
};

export function placeOf(fields: Partial<ContextPlace>): ContextPlace {
  return { directoryName: 'project', tree: {}, outside: {}, links: {}, clock: new FakeClock(), ...fields };
}

export function describePlace({ tree, outside, links }: ContextPlace): string {
  const parts = [`files ${showValue(tree)}`];
  if (Object.keys(outside).length > 0) {
    parts.push(`next to the working directory ${showValue(outside)}`);
  }
  if (Object.keys(links).length > 0) {
    parts.push(`links ${showValue(links)}`);
  }
  return parts.join(', ');
}

export function selectionOf(fields: Partial<ContextSelection>): ContextSelection {
  return {
    files: [],
    globPatterns: [],
    directories: [],
    maxFiles: 1_000,
    maxBytes: 1_000_000,
    deadlineAtMs: Number.MAX_SAFE_INTEGER,
    ...fields,
  };
}

/** The contract leaves open whether a bundle without media has an empty list or no list. Here it has no list. */
export function withoutEmptyMedia({ media = [], ...bundle }: ContextBundle): ContextBundle {
  return media.length === 0 ? bundle : { ...bundle, media };
}

export function pathsOf(documents: ContextBundle['documents']): readonly string[] {
  return documents.map(({ path }) => path);
}

/** An entry with any detail. */
export function leftOutEntry(path: string, reason: LeftOut['reason'], origin: LeftOut['origin']): unknown {
  return expect.objectContaining({ path, reason, origin });
}

export function utf8Size(text: string): number {
  return encodeURIComponent(text).replace(/%../g, '.').length;
}

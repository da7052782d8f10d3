import type { ContextBundle, ContextResolver, ContextSelection, LeftOut } from '@gemini-mcp/core';
import { expect } from 'vitest';

/** Files by their paths, with `/`. */
export type FileTree = Readonly<Record<string, string | Uint8Array>>;

export type ContextResolverHarness = {
  /** Resolves names below the working directory that holds the tree. */
  readonly resolver: ContextResolver;
  readonly dispose: () => Promise<void>;
};

/** Resolves a selection in a directory of its own with these files; `selectionOf` says what holds where a field is missing. */
export type ResolveTree = (
  tree: FileTree,
  fields: Partial<ContextSelection>,
  signal?: AbortSignal,
) => Promise<ContextBundle>;

export const sourceTree: FileTree = {
  'b.ts': 'b',
  'a.ts': 'a',
  'src/z.ts': 'z',
  'src/deep/er/y.ts': 'y',
  'docs/x.md': 'x',
};

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

export function pathsOf(documents: ContextBundle['documents']): readonly string[] {
  return documents.map(({ path }) => path);
}

/** An entry with whatever detail. */
export function leftOutEntry(path: string, reason: LeftOut['reason'], origin: LeftOut['origin']): unknown {
  return expect.objectContaining({ path, reason, origin });
}

export function utf8Size(text: string): number {
  return encodeURIComponent(text).replace(/%../g, '.').length;
}

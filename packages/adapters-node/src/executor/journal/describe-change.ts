import { dirname } from 'node:path';
import type { FileChange } from '@gemini-mcp/core';
import { formatCount, unifiedDiff } from '@gemini-mcp/core/internal';
import { decodeText } from '../../files/text-decoding.ts';
import { isSameState, type PlaceState } from './place-state.ts';

export type ChangeToDescribe = {
  /** As reports name it. */
  readonly path: string;
  readonly before: PlaceState;
  readonly after: PlaceState;
  /** Contents of files; null where they cannot be had. */
  readonly readBefore: () => Promise<Uint8Array | null>;
  readonly readAfter: () => Promise<Uint8Array | null>;
};

/** Beyond this a change is counted and not shown. */
const maxShownBytes = 4_194_304;

/** How a path differs, with the diff of a text; null if it does not differ. */
export async function describeChange(change: ChangeToDescribe): Promise<FileChange | null> {
  const { path, before, after } = change;
  if (isSameState(before, after)) {
    return null;
  }
  const { diff, addedLines, removedLines } = await compare(change);
  return { path, kind: kindOf(before, after), diff, addedLines, removedLines };
}

export function isNoFile({ kind }: PlaceState): boolean {
  return kind === 'directory' || kind === 'absent';
}

function kindOf(before: PlaceState, after: PlaceState): FileChange['kind'] {
  if (before.kind === 'absent' || (before.kind === 'directory' && !isNoFile(after))) {
    return 'created';
  }
  return after.kind === 'absent' || (after.kind === 'directory' && !isNoFile(before)) ? 'deleted' : 'modified';
}

export type DescribedChange = {
  readonly change: FileChange;
  /** Whether there was no file before, and is none after. */
  readonly isOfDirectory: boolean;
};

/** By path, without directories that were made or removed with something in them that is told itself. */
export function withoutFullDirectories(described: readonly DescribedChange[]): readonly FileChange[] {
  const around = new Set<string>();
  for (const { change } of described) {
    for (let above = dirname(change.path); !around.has(above); above = dirname(above)) {
      around.add(above);
    }
  }
  return described
    .filter(({ change, isOfDirectory }) => !isOfDirectory || change.kind === 'modified' || !around.has(change.path))
    .map(({ change }) => change)
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

type Comparison = Pick<FileChange, 'diff' | 'addedLines' | 'removedLines'>;

async function compare(change: ChangeToDescribe): Promise<Comparison> {
  const { path, before, after } = change;
  const isOfFiles = [before, after].every(({ kind }) => kind === 'file' || kind === 'absent' || kind === 'directory');
  if (!isOfFiles || bytesOf(before) > maxShownBytes || bytesOf(after) > maxShownBytes) {
    return sentence(change);
  }
  const [old, young] = [await textOf(before, change.readBefore), await textOf(after, change.readAfter)];
  if (old === 'no-text' || young === 'no-text') {
    return sentence(change);
  }
  const compared = unifiedDiff({ path, before: old, after: young });
  return compared.diff === '' ? sentence(change) : compared;
}

async function textOf(state: PlaceState, read: () => Promise<Uint8Array | null>): Promise<string | null | 'no-text'> {
  if (state.kind !== 'file') {
    return null;
  }
  const bytes = await read();
  const decoded = bytes === null ? null : decodeText(Buffer.from(bytes));
  return decoded?.ok === true ? decoded.text : 'no-text';
}

function sentence({ before, after }: ChangeToDescribe): Comparison {
  return { diff: `Before: ${describeState(before)}. After: ${describeState(after)}.`, addedLines: 0, removedLines: 0 };
}

function describeState(state: PlaceState): string {
  switch (state.kind) {
    case 'absent':
      return 'nothing';
    case 'link':
      return `a link to ${JSON.stringify(state.target)}`;
    case 'directory':
      return `a directory${describeMode(state)}`;
    case 'other':
      return `a pipe, a socket or a device${describeMode(state)}`;
    case 'file':
      return `${formatCount(state.sizeBytes)} bytes${describeMode(state)}`;
  }
}

function describeMode({ mode }: { readonly mode: number | null }): string {
  return mode === null ? '' : `, mode ${mode.toString(8)}`;
}

function bytesOf(state: PlaceState): number {
  return state.kind === 'file' ? state.sizeBytes : 0;
}

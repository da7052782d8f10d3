import { dirname } from 'node:path';
import type { FileChange } from '@gemini-mcp/core';
import { formatCount, unifiedDiff } from '@gemini-mcp/core/internal';
import type { RealRoots } from '../../disk/real-roots.ts';
import { isSensitivePath } from '../../disk/sensitive-names.ts';
import { decodeText } from '../../disk/text-decoding.ts';
import { displayPathOf } from './display-path-of.ts';
import { absent, type FileState, isSameState } from './file-state.ts';
import { openParent, readPlace, readSized } from './open-parent.ts';
import type { PathAccount, RunAccount } from './run-account.ts';
import type { FoundChange } from './run-journal.ts';
import type { SavedContents } from './saved-contents.ts';
import { statEntry } from './stat-entry.ts';

/** Where changes lie, and where the former contents are kept. */
export type EditTargets = {
  readonly roots: RealRoots;
  readonly workingDirectory: string;
  readonly contents: SavedContents;
};

type Change = {
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
  /** The former content of a file; null if unavailable. */
  readonly readBefore: () => Promise<Uint8Array | null>;
};

/** The limits on contents read for the diffs of one command, and of a whole run: further changes are reported without diffs. */
const maxReadBytes = { ofCommand: 16_777_216, ofRun: 67_108_864 } as const;

/** Larger changes are counted but not shown. */
const maxShownBytes = 4_194_304;

/** Describes a command's changes for a reader, by path. Never rejects. */
export async function describeFound(
  found: readonly FoundChange[],
  places: EditTargets,
): Promise<readonly FileChange[]> {
  const { contents } = places;
  const changes = found.map(({ path, before, after, copy }) => ({
    ...{ path, before, after },
    // The journal has taken over the copy of a file that was changed for the first time.
    readBefore: async () =>
      (copy === null ? null : await readSized(copy, bytesOf(before)).catch(() => null)) ?? readKept(before, contents),
  }));
  return describeAll(changes, places, maxReadBytes.ofCommand);
}

/** The present differences of the changed paths from their state before the run, by path. Never rejects; an abort truncates the list. */
export async function listChanges(
  account: RunAccount,
  places: EditTargets,
  signal: AbortSignal,
): Promise<readonly FileChange[]> {
  const changes: Change[] = [];
  for (const one of account.paths) {
    if (signal.aborted) {
      break;
    }
    const { path, first: before } = one;
    const after = await lookThere(one, places.roots);
    changes.push({ path, before, after, readBefore: () => readKept(before, places.contents) });
  }
  return describeAll(changes, places, maxReadBytes.ofRun);
}

/** An unreachable path is assumed to be as the run left it. */
async function lookThere({ path, last }: PathAccount, roots: RealRoots): Promise<FileState> {
  const reached = await openParent(path, roots, statEntry).catch(() => null);
  if (reached?.reached === true) {
    return reached.value.state;
  }
  return reached?.isMissing === true ? absent : last;
}

async function readKept(before: FileState, contents: SavedContents): Promise<Uint8Array | null> {
  return before.kind === 'file' && before.hash !== null ? contents.read(before.hash).catch(() => null) : null;
}

async function describeAll(
  changes: readonly Change[],
  { roots, workingDirectory }: EditTargets,
  maxBytes: number,
): Promise<readonly FileChange[]> {
  const described: DescribedChange[] = [];
  let readBytes = 0;
  for (const { path, before, after, readBefore } of changes.filter((one) => !isSameState(one.before, one.after))) {
    readBytes += bytesOf(before) + bytesOf(after);
    const isShown = readBytes <= maxBytes && !isSensitivePath(path);
    const { diff, addedLines, removedLines } = await compare({
      ...{ path: displayPathOf(path, workingDirectory), before, after },
      readBefore: async () => (isShown ? readBefore() : null),
      readAfter: async () => (isShown ? readPlace(path, roots, bytesOf(after)) : null),
    });
    const change = {
      ...{ path: displayPathOf(path, workingDirectory), kind: kindOf(before, after) },
      ...{ diff, addedLines, removedLines },
    };
    described.push({ change, isOfDirectory: isNoFile(before) && isNoFile(after) });
  }
  return withoutFullDirectories(described);
}

function isNoFile({ kind }: FileState): boolean {
  return kind === 'directory' || kind === 'absent';
}

function kindOf(before: FileState, after: FileState): FileChange['kind'] {
  if (before.kind === 'absent' || (before.kind === 'directory' && !isNoFile(after))) {
    return 'created';
  }
  return after.kind === 'absent' || (after.kind === 'directory' && !isNoFile(before)) ? 'deleted' : 'modified';
}

type DescribedChange = {
  readonly change: FileChange;
  readonly isOfDirectory: boolean;
};

/** By path, without created or removed directories whose contents are reported anyway. */
function withoutFullDirectories(described: readonly DescribedChange[]): readonly FileChange[] {
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

type ChangeToDescribe = Change & { readonly readAfter: Change['readBefore'] };

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

async function textOf(state: FileState, read: () => Promise<Uint8Array | null>): Promise<string | null | 'no-text'> {
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

function describeState(state: FileState): string {
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

function bytesOf(state: FileState): number {
  return state.kind === 'file' ? state.sizeBytes : 0;
}

import { createHash } from 'node:crypto';
import { constants, fstatSync } from 'node:fs';
import { chmod, type FileHandle, link, lstat, mkdir, open, rename, rm, rmdir, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { UndonePath } from '@gemini-mcp/core';
import { canOpenPaths, openPath, pathOfDescriptor } from '../../disk/descriptor-paths.ts';
import { syncDirectory } from '../../disk/durable/sync-directory.ts';
import { closeDescriptor } from '../../disk/open-verified.ts';
import type { RealRoots } from '../../disk/real-roots.ts';
import { errorCode } from '../../processes/error-code.ts';
import { describeSystemError } from './describe-system-error.ts';
import { absent, type FileState, isSameState } from './file-state.ts';
import { openParent } from './open-parent.ts';
import { isLeftBy, type PathAccount, type RunAccount } from './run-account.ts';
import type { SavedContents } from './saved-contents.ts';
import { isSameStamp, type LookedAt, stampAt, statEntry } from './stat-entry.ts';

export type RunToUndo = {
  readonly runId: string;
  readonly account: RunAccount;
  readonly contents: SavedContents;
  readonly roots: RealRoots;
  /** Records that the path may be empty from here on. */
  readonly onGap: (path: string) => Promise<void>;
};

type Outcome = Pick<UndonePath, 'outcome' | 'reason'>;

export type UndoneRun = ReadonlyMap<string, Outcome>;

/** Restores the requested paths of a run. A failure at one path does not stop the others. Never rejects. */
export async function undoRun(
  run: RunToUndo,
  isWanted: (path: string) => boolean,
  signal: AbortSignal,
): Promise<UndoneRun> {
  const asked = run.account.paths.filter(({ path }) => isWanted(path));
  const around = directoriesAround(asked);
  const wanted = run.account.paths.filter((one) => isWanted(one.path) || (isOfDirectory(one) && around.has(one.path)));
  const downwards = wanted.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const upwards = downwards.toReversed();
  const outcomes = new Map<string, Outcome>();
  const step = async (one: PathAccount, isLast: boolean): Promise<void> => {
    const outcome = signal.aborted ? refuse('The undo was stopped before it.') : await undoPath(run, one, isLast);
    const known = outcomes.get(one.path);
    // A directory that was opened up first gets its mode back at the end.
    if (known === undefined || known.outcome === 'already-as-before' || outcome.outcome === 'refused') {
      outcomes.set(one.path, outcome);
    }
  };
  // Without write permission to a directory, nothing can be removed from it.
  for (const one of downwards.filter(({ last }) => !isSameState(last, openedUp(last)))) {
    await openUp(run, one);
  }
  // First removes what the run created, from the inside out; then restores former files, from the outside in.
  for (const one of upwards.filter(({ first }) => first.kind === 'absent')) {
    await step(one, true);
  }
  for (const one of downwards.filter(({ first }) => first.kind !== 'absent')) {
    await step(one, false);
  }
  for (const one of upwards.filter(({ first }) => first.kind === 'directory')) {
    await step(one, true);
  }
  return outcomes;
}

function directoriesAround(paths: readonly PathAccount[]): ReadonlySet<string> {
  const around = new Set<string>();
  for (const { path } of paths) {
    for (let above = dirname(path); above !== dirname(above) && !around.has(above); above = dirname(above)) {
      around.add(above);
    }
  }
  return around;
}

function isOfDirectory({ first, last }: PathAccount): boolean {
  return first.kind === 'directory' || last.kind === 'directory';
}

async function undoPath(run: RunToUndo, path: PathAccount, isLast: boolean): Promise<Outcome> {
  // Reread: the first of two passes over a directory may have recorded something.
  const one = run.account.at(path.path) ?? path;
  try {
    const reached = await openParent(one.path, run.roots, async (at) => undoAt(run, one, at, isLast));
    if (reached.reached) {
      return reached.value;
    }
    return reached.isMissing && one.first.kind === 'absent' ? asBefore : refuse(reached.reason);
  } catch (error) {
    if (one.first.kind === 'absent' && errorCode(error) === 'ENOTEMPTY') {
      // A directory of the run that contains something else.
      return asBefore;
    }
    return refuse(`It could not be restored: ${describeSystemError(error)}.`);
  }
}

async function undoAt(run: RunToUndo, one: PathAccount, at: string, isLast: boolean): Promise<Outcome> {
  const found = await statEntry(at);
  if (isSameState(found.state, one.first) || isSameState(one.first, one.last)) {
    return asBefore;
  }
  const objection = findObjection(one, found);
  if (objection !== null) {
    return refuse(objection);
  }
  const content = one.first.kind === 'file' ? await contentOf(run, one.first.hash) : null;
  if (one.first.kind === 'file' && content === null) {
    return refuse(notKept);
  }
  const wanted = isLast ? one.first : openedUp(one.first);
  if (!isSameState(wanted, one.first)) {
    await run.onGap(one.path);
  }
  const obstacle = await restoreEntry({
    at,
    draftAt: join(dirname(at), draftNameOf(run.runId, one.path)),
    found,
    wanted,
    content,
    onGap: () => run.onGap(one.path),
  });
  if (obstacle !== null) {
    return refuse(obstacle);
  }
  return wanted.kind === 'absent' ? { outcome: 'removed', reason: '' } : restored(one.first);
}

/** A directory as the run left it. If this fails, the work inside it reports why. */
async function openUp(run: RunToUndo, one: PathAccount): Promise<void> {
  const open = async (at: string): Promise<void> => {
    const found = await statEntry(at);
    if (findObjection(one, found) === null && found.state.kind === 'directory') {
      const onGap = (): Promise<void> => run.onGap(one.path);
      await onGap();
      await restoreEntry({ at, draftAt: at, found, wanted: openedUp(found.state), content: null, onGap });
    }
  };
  await openParent(one.path, run.roots, open).catch(() => undefined);
}

async function contentOf({ contents }: RunToUndo, hash: string | null): Promise<Uint8Array | null> {
  return hash === null ? null : contents.read(hash);
}

/** Why a path is not restored, in a sentence; null if it may be. */
function findObjection(one: PathAccount, { state }: LookedAt): string | null {
  if (one.isMixed) {
    return 'Something else changed it in the middle of the run: the changes of the run cannot be separated from that one.';
  }
  const isHalfUndone = [absent, openedUp(one.first), openedUp(one.last)].some((half) => isSameState(state, half));
  if (isLeftBy(one, state) || (one.isBeingUndone && isHalfUndone)) {
    return null;
  }
  return state.kind === 'absent'
    ? 'It no longer exists: it was moved or deleted after the run.'
    : 'It was changed after the run.';
}

function restored(first: FileState): Outcome {
  return { outcome: 'restored', reason: first.kind === 'file' && first.isLinked === true ? wasLinked : '' };
}

const wasLinked = 'It had other names (hard links), which are separate files now.';

const notKept = 'Its content was not kept, or the kept content is damaged.';

const asBefore: Outcome = { outcome: 'already-as-before', reason: '' };

function refuse(reason: string): Outcome {
  return { outcome: 'refused', reason };
}

/** A writable directory, in which former files can be restored; it gets its own mode afterwards. */
function openedUp(state: FileState): FileState {
  const isOfMode = state.kind === 'directory' && state.mode !== null;
  return isOfMode ? { kind: 'directory', mode: (state.mode ?? 0) | 0o700 } : state;
}

/** Deterministic, so that the next undo finds the draft of one that was killed. */
function draftNameOf(runId: string, path: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([runId, path]))
    .digest('hex');
  return `.gemini-mcp-undo-${digest.slice(0, 16)}`;
}

type Restoration = {
  /** A path through the open directory. */
  readonly at: string;
  /** The draft's path, in the same directory, before it takes its place. */
  readonly draftAt: string;
  /** The state found there, which may be replaced. */
  readonly found: LookedAt;
  readonly wanted: FileState;
  readonly content: Uint8Array | null;
  /** Called before the present state is removed and while the wanted one is not there yet. */
  readonly onGap: () => Promise<void>;
};

/** Null on success, otherwise the reason. Rejects if the system refuses; then the place is unchanged, or empty after `onGap`. */
async function restoreEntry(restoration: Restoration): Promise<string | null> {
  const { at, draftAt, wanted } = restoration;
  try {
    const obstacle = await restore(restoration);
    await syncDirectory(dirname(at)).catch(() => undefined);
    return obstacle;
  } finally {
    await (wanted.kind === 'file' || wanted.kind === 'link'
      ? rm(draftAt, { force: true }).catch(() => undefined)
      : null);
  }
}

async function restore(restoration: Restoration): Promise<string | null> {
  const { wanted, draftAt } = restoration;
  switch (wanted.kind) {
    case 'absent':
      return remove(restoration);
    case 'directory':
      return restoreDirectory(restoration, wanted.mode);
    case 'link':
      await rm(draftAt, { force: true });
      await symlink(wanted.target, draftAt);
      return takeEntry(restoration);
    case 'file':
      await writeDraft(restoration, wanted);
      return takeEntry(restoration);
    case 'other':
      return 'It was a pipe, a socket or a device, which cannot be restored.';
  }
}

const changedMeanwhile = 'It was changed at this very moment.';

async function remove({ at, found }: Restoration): Promise<string | null> {
  if (!isSameStamp(await stampAt(at), found.stamp)) {
    return changedMeanwhile;
  }
  await (found.state.kind === 'directory' ? rmdir(at) : unlink(at));
  return null;
}

async function restoreDirectory(restoration: Restoration, mode: number | null): Promise<string | null> {
  const { at, found, onGap } = restoration;
  if (found.state.kind !== 'directory') {
    if (found.state.kind !== 'absent') {
      await onGap();
      const obstacle = await remove(restoration);
      if (obstacle !== null) {
        return obstacle;
      }
    }
    await mkdir(at, { mode: 0o700 });
  }
  await (mode === null ? undefined : setDirectoryMode(at, mode));
  return null;
}

/** Through the open directory, so that no link in its place is followed. On systems other than Linux, one could be in the last moment. */
async function setDirectoryMode(at: string, mode: number): Promise<void> {
  if (!canOpenPaths) {
    await ((await lstat(at)).isDirectory() ? chmod(at, mode) : undefined);
    return;
  }
  const place = openPath(at, false);
  try {
    await (fstatSync(place).isDirectory() ? chmod(pathOfDescriptor(place), mode) : undefined);
  } finally {
    closeDescriptor(place);
  }
}

const draftFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

async function writeDraft(
  { at, draftAt, content }: Restoration,
  { mode, modifiedAtMs }: Extract<FileState, { kind: 'file' }>,
): Promise<void> {
  // Left by an undo that was killed.
  await rm(draftAt, { force: true });
  const file = await open(draftAt, draftFlags, 0o600);
  try {
    await file.writeFile(content ?? new Uint8Array());
    // Before the mode: changing the owner clears mode bits.
    await giveToOwnerOf(at, file);
    await file.chmod(mode ?? 0o644);
    await (modifiedAtMs === undefined ? undefined : file.utimes(modifiedAtMs / 1_000, modifiedAtMs / 1_000));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** For the superuser, who would otherwise become the owner of somebody else's file. */
async function giveToOwnerOf(at: string, draft: FileHandle): Promise<void> {
  if (process.getuid?.() !== 0) {
    return;
  }
  const { uid, gid } = await lstat(at).catch(() => lstat(dirname(at)));
  await draft.chown(uid, gid).catch(() => undefined);
}

/** Inspects the place again right before: a change that somebody makes meanwhile is not overwritten. */
async function takeEntry({ at, draftAt, found, onGap }: Restoration): Promise<string | null> {
  if (!isSameStamp(await stampAt(at), found.stamp)) {
    return changedMeanwhile;
  }
  if (found.state.kind === 'absent') {
    return placeWhereNothingIs(draftAt, at);
  }
  if (found.state.kind === 'directory') {
    await onGap();
    await rmdir(at);
  }
  await rename(draftAt, at);
  return null;
}

/** Unlike a rename, a link does not replace a file that somebody creates there at that moment. Not every file system has links. */
async function placeWhereNothingIs(draftAt: string, at: string): Promise<string | null> {
  try {
    await link(draftAt, at);
    return null;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      return changedMeanwhile;
    }
    await rename(draftAt, at);
    return null;
  }
}

import { constants, fstatSync } from 'node:fs';
import { chmod, type FileHandle, link, lstat, mkdir, open, rename, rm, rmdir, symlink, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { canOpenPlaces, openPlace, pathOfDescriptor } from '../../files/descriptor-paths.ts';
import { closeDescriptor } from '../../files/open-verified.ts';
import { errorCode } from '../../state/error-code.ts';
import { syncDirectory } from '../../state/sync-directory.ts';
import { isSameStamp, type LookedAt, stampAt } from './look-at-place.ts';
import type { PlaceState } from './place-state.ts';

/** What is put where. */
export type Restoration = {
  /** A path through the directory that is held open. */
  readonly at: string;
  /** Where it is made before it takes its place: in the same directory. */
  readonly draftAt: string;
  /** What was found there, and may be replaced. */
  readonly found: LookedAt;
  readonly wanted: PlaceState;
  /** Of a file. */
  readonly content: Uint8Array | null;
  /** Called before what was there is taken away and the wanted is not there yet. */
  readonly onGap: () => Promise<void>;
};

/** Null when it was done, otherwise why not. Rejects where the system refuses; the place is as it was then, or empty after `onGap`. */
export async function restorePlace(restoration: Restoration): Promise<string | null> {
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
      return takePlace(restoration);
    case 'file':
      await writeDraft(restoration, wanted);
      return takePlace(restoration);
    case 'other':
      return 'It was a pipe, a socket or a device: none is made again.';
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

/** By what is open, so that no link in its place is followed. Elsewhere than on Linux a moment remains in which one could be. */
async function setDirectoryMode(at: string, mode: number): Promise<void> {
  if (!canOpenPlaces) {
    await ((await lstat(at)).isDirectory() ? chmod(at, mode) : undefined);
    return;
  }
  const place = openPlace(at, false);
  try {
    await (fstatSync(place).isDirectory() ? chmod(pathOfDescriptor(place), mode) : undefined);
  } finally {
    closeDescriptor(place);
  }
}

const draftFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

async function writeDraft(
  { at, draftAt, content }: Restoration,
  { mode, modifiedAtMs }: Extract<PlaceState, { kind: 'file' }>,
): Promise<void> {
  // Of an undo that was killed.
  await rm(draftAt, { force: true });
  const file = await open(draftAt, draftFlags, 0o600);
  try {
    await file.writeFile(content ?? new Uint8Array());
    // Before the mode: a new owner takes bits of it away.
    await giveToOwnerOf(at, file);
    await file.chmod(mode ?? 0o644);
    await (modifiedAtMs === undefined ? undefined : file.utimes(modifiedAtMs / 1_000, modifiedAtMs / 1_000));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** As the superuser, who would otherwise become the owner of what is somebody else's. */
async function giveToOwnerOf(at: string, draft: FileHandle): Promise<void> {
  if (process.getuid?.() !== 0) {
    return;
  }
  const { uid, gid } = await lstat(at).catch(() => lstat(dirname(at)));
  await draft.chown(uid, gid).catch(() => undefined);
}

/** What is there is looked at once more right before: a change that somebody makes meanwhile is not overwritten. */
async function takePlace({ at, draftAt, found, onGap }: Restoration): Promise<string | null> {
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

/** Unlike a rename, a link does not replace what somebody puts there in this moment. Not every file system has links. */
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

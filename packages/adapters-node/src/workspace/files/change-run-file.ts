import {
  accessSync,
  constants,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangeConsent, ChangedFile, StepRefusal, StepResult, WorkMode } from '@gemini-mcp/core';
import {
  cancelled,
  changedSinceRead,
  judgeChange,
  judgePlace,
  looksSecret,
  notFound,
  readsOnly,
  refused,
  type SeenFiles,
  unifiedDiff,
} from '@gemini-mcp/core/internal';
import { pathOfDescriptor } from '../../disk/descriptor-paths.ts';
import { HeldDirectory } from '../../disk/held-directory.ts';
import { decodeText } from '../../disk/text-decoding.ts';
import { errorCode } from '../../processes/error-code.ts';
import type { ChangeJournal, JournalEntry } from '../journal/file-state.ts';
import { createTemporaryName } from '../temporary-name.ts';
import { type EditTarget, findEditTarget, statsAt } from './edit-target.ts';
import { hashBytes, isSecretPlace, type RunFile, readOpened } from './read-run-file.ts';
import { refuseFault } from './refuse-target.ts';
import { type RunReach, showName } from './run-reach.ts';

/** The dependencies of a change. */
export type ChangeTools = {
  readonly reach: RunReach;
  readonly seen: SeenFiles;
  readonly mode: WorkMode;
  readonly journal: ChangeJournal;
};

/** The new content of a file. */
export type NewContent = { readonly bytes: Uint8Array; readonly notes: readonly string[] };

export type ChangeRequest = {
  readonly name: string;
  readonly replacesWhole: boolean;
  readonly consent: ChangeConsent | undefined;
  /** Computes the new content; `before` is null if the file is missing. */
  readonly makeContent: (before: RunFile | null) => StepResult<NewContent>;
};

/** The journal keeps the old content. */
const maxChangedBytes = 10_485_760;

/** Changes or creates a file if all its guards allow it. */
export async function changeRunFile(
  tools: ChangeTools,
  request: ChangeRequest,
  signal: AbortSignal,
): Promise<StepResult<ChangedFile>> {
  const { reach, mode } = tools;
  const { name } = request;
  if (mode === 'plan') {
    return refused(readsOnly());
  }
  const found = findEditTarget(reach, name);
  if (!found.ok) {
    return found;
  }
  try {
    return await editTarget(tools, request, found.value, signal);
  } finally {
    found.value.release();
  }
}

async function editTarget(
  tools: ChangeTools,
  request: ChangeRequest,
  place: EditTarget,
  signal: AbortSignal,
): Promise<StepResult<ChangedFile>> {
  const { reach, seen, mode, journal } = tools;
  const path = reach.display(place.realPath);
  const guarded = judgeGuards(tools, place) ?? judgePresence(tools, request, place);
  const before = guarded === null ? readBefore(place, request.name) : refused(guarded);
  if (!before.ok) {
    return before;
  }
  const beforeHash = before.value === null ? null : hashBytes(before.value.bytes);
  const { replacesWhole, consent } = request;
  const situation = {
    mode,
    path,
    judgement: reach.judge(place.realPath),
    beforeHash,
    seen: seen.find(place.realPath),
    replacesWhole,
    consent,
  };
  // Report a concurrent change before reporting that the edit no longer applies.
  const unseen = judgeChange({ ...situation, judgement: { decision: 'allow' } }, () => '');
  const made = unseen === null ? request.makeContent(before.value) : refused(unseen);
  if (!made.ok) {
    return made;
  }
  const { bytes, notes } = made.value;
  const old = textOrNull(before.value?.bytes);
  const difference = unifiedDiff({ path, before: old, after: textOrNull(bytes) });
  const hash = hashBytes(bytes);
  // A user who is asked sees all that is written, even characters that make it binary, such as NUL.
  const toShow = (): string => unifiedDiff({ path, before: old, after: Buffer.from(bytes).toString() }).diff;
  const because =
    judgeChange(situation, toShow) ??
    (await writeChanged({ reach, place, bytes, hash, before: before.value, journal }, signal));
  if (because !== null) {
    return refused(because);
  }
  seen.change(place.realPath, hash, replacesWhole);
  const kind = before.value === null ? 'created' : 'modified';
  const told = [...notes, ...tellLinks(before.value)];
  return { ok: true, value: { path, kind, ...difference, hash, sizeBytes: bytes.length, notes: told } };
}

function tellLinks(before: RunFile | null): readonly string[] {
  const isLinked = before !== null && before.stats.nlink > 1;
  return isLinked ? ['The file had other names (hard links): those keep the old content.'] : [];
}

function judgeGuards({ reach, mode }: ChangeTools, { realPath, opened }: EditTarget): StepRefusal | null {
  const path = reach.display(realPath);
  const because = judgePlace({ mode, path: showName(path), judgement: reach.judge(realPath) });
  if (because !== null || opened === null) {
    return because;
  }
  if (isSecretPlace(realPath)) {
    return looksSecret(showName(path));
  }
  try {
    // A file that its owner made read-only is not replaced.
    accessSync(reach.proof === 'kernel-link' ? pathOfDescriptor(opened.descriptor) : realPath, constants.W_OK);
    return null;
  } catch (error) {
    return refuseFault(path, error);
  }
}

/** Only an existing file can be changed in part. */
function judgePresence(
  { seen }: ChangeTools,
  request: ChangeRequest,
  { realPath, opened }: EditTarget,
): StepRefusal | null {
  if (request.replacesWhole || opened !== null) {
    return null;
  }
  seen.forget(realPath);
  return notFound(showName(request.name));
}

function readBefore({ opened }: EditTarget, name: string): StepResult<RunFile | null> {
  return opened === null
    ? { ok: true, value: null }
    : readOpened(opened, { name, maxBytes: maxChangedBytes, hint: 'Tools do not change files of that size.' });
}

/** Null if missing; for binary content a placeholder, which the diff then shows. */
function textOrNull(bytes: Uint8Array | undefined): string | null {
  if (bytes === undefined) {
    return null;
  }
  const decoded = decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return decoded.ok ? decoded.text : `(not text: ${bytes.byteLength} bytes)\n`;
}

type ChangedContent = {
  readonly reach: RunReach;
  readonly place: EditTarget;
  readonly bytes: Uint8Array;
  readonly hash: string;
  /** The file that was read; null if missing. */
  readonly before: { readonly bytes: Uint8Array; readonly stats: Stats } | null;
  readonly journal: ChangeJournal;
};

const newFileMode = 0o666;
const newDirectoryMode = 0o777;
const permissionBits = 0o777;
const allModeBits = 0o7777;

/**
 * Writes content to a file atomically: first to a temporary file next to it, which replaces it once the journal has recorded the change.
 * Works in open directories only, so that none can be exchanged for a link meanwhile. Resolves to null on success.
 */
async function writeChanged(content: ChangedContent, signal: AbortSignal): Promise<StepRefusal | null> {
  const { reach, place } = content;
  const made: HeldDirectory[] = [];
  try {
    for (const name of place.missing) {
      made.push(await makeDirectory(content, made.at(-1) ?? place.directory, name));
    }
    return await writeInto(made.at(-1) ?? place.directory, content, signal);
  } catch (error) {
    return refuseFault(reach.display(place.realPath), error);
  } finally {
    for (const directory of made) {
      directory.release();
    }
  }
}

/** Throws the system's error, or an error if something else has taken the path. */
async function makeDirectory(
  { reach, journal }: ChangedContent,
  above: HeldDirectory,
  name: string,
): Promise<HeldDirectory> {
  const path = join(above.realPath, name);
  await journal.record({ path, before: { type: 'absent' }, after: { type: 'directory' } });
  mkdirSync(above.pathOf(path), newDirectoryMode);
  if (isRoot) {
    const { uid, gid } = ownerOf(above);
    lchownSync(above.pathOf(path), uid, gid);
  }
  const directory = HeldDirectory.open({ path, roots: reach.roots, proof: reach.proof, base: above });
  if (!('realPath' in directory)) {
    throw new Error(`something else has taken the place of ${showName(reach.display(path))}`);
  }
  return directory;
}

async function writeInto(
  directory: HeldDirectory,
  content: ChangedContent,
  signal: AbortSignal,
): Promise<StepRefusal | null> {
  const { place, journal, reach } = content;
  const temporary = directory.pathOf(join(directory.realPath, createTemporaryName()));
  try {
    const mode = await writeTemporary(temporary, content, ownerOf(directory));
    await journal.record(entryOf(content, mode));
    if (signal.aborted) {
      return cancelled();
    }
    if (!isUnchanged(directory, content)) {
      return changedSinceRead(showName(reach.display(place.realPath)));
    }
    moveInto(temporary, directory.pathOf(place.realPath), content.before === null);
    return null;
  } catch (error) {
    // Something was created there meanwhile.
    if (errorCode(error) === 'EEXIST') {
      return changedSinceRead(showName(reach.display(place.realPath)));
    }
    throw error;
  } finally {
    removeTemporary(temporary);
  }
}

/** Returns the file's resulting permission bits. */
async function writeTemporary(path: string, { bytes, before }: ChangedContent, owner: Owner): Promise<number> {
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;
  const file = await open(path, flags, before === null ? newFileMode : 0o600);
  try {
    await file.writeFile(bytes);
    if (before !== null) {
      await copyOwner(file, before.stats);
      await file.chmod(before.stats.mode & permissionBits);
    } else if (isRoot) {
      await copyOwner(file, owner);
    }
    await file.sync();
    return (await file.stat()).mode & permissionBits;
  } finally {
    await file.close();
  }
}

type Owner = Pick<Stats, 'uid' | 'gid'>;

/** Whatever root creates in a user's directory belongs to that user, as in a container with its host's project. */
const isRoot = process.getuid?.() === 0;

function ownerOf(directory: HeldDirectory): Owner {
  return lstatSync(directory.pathOf(directory.realPath));
}

/** A server running as root must not take a user's files away from them. Others cannot give files away: the file becomes theirs. */
async function copyOwner(file: FileHandle, { uid, gid }: Owner): Promise<void> {
  const own = await file.stat();
  if (own.uid !== uid || own.gid !== gid) {
    await file.chown(uid, gid).catch(() => file.chown(own.uid, gid).catch(() => undefined));
  }
}

function entryOf({ place, before, hash }: ChangedContent, mode: number): JournalEntry {
  return {
    path: place.realPath,
    before: before === null ? { type: 'absent' } : stateOf(before),
    after: { type: 'file', hash, mode },
  };
}

function stateOf({ bytes, stats }: NonNullable<ChangedContent['before']>): JournalEntry['before'] {
  const { mode, mtimeMs, nlink } = stats;
  return { type: 'file', bytes, mode: mode & allModeBits, modifiedAtMs: mtimeMs, isLinked: nlink > 1 };
}

/** Whether the file is still the one that was read, as far as the system shows without reading it again. */
function isUnchanged(directory: HeldDirectory, { place, before }: ChangedContent): boolean {
  const now = statsAt(directory, place.realPath);
  if (now === null || before === null) {
    return now === null && before === null;
  }
  const { stats } = before;
  const sameFile = now.ino === stats.ino && now.dev === stats.dev && now.size === stats.size;
  return sameFile && now.mtimeMs === stats.mtimeMs && now.ctimeMs === stats.ctimeMs;
}

/** A new file replaces no other; not every file system has the hard links that guarantee this. */
function moveInto(temporary: string, path: string, isNew: boolean): void {
  if (!isNew) {
    renameSync(temporary, path);
    return;
  }
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errorCode(error) ?? '')) {
      throw error;
    }
    renameSync(temporary, path);
  }
}

function removeTemporary(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It has taken its place, or was never created.
  }
}

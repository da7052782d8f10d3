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

/** What changes are made with. */
export type ChangeTools = {
  readonly reach: RunReach;
  readonly seen: SeenFiles;
  readonly mode: WorkMode;
  readonly journal: ChangeJournal;
};

/** The content that a file is to have. */
export type NewContent = { readonly bytes: Uint8Array; readonly notes: readonly string[] };

export type ChangeRequest = {
  readonly name: string;
  readonly replacesWhole: boolean;
  readonly consent: ChangeConsent | undefined;
  /** What the file is to be; `before` is null where there is none. */
  readonly makeContent: (before: RunFile | null) => StepResult<NewContent>;
};

/** The journal keeps what was there. */
const maxChangedBytes = 10_485_760;

/** Changes a file, or makes it, if everything that guards it allows it. */
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
  // What was changed meanwhile is told before what does not fit it.
  const unseen = judgeChange({ ...situation, judgement: { decision: 'allow' } }, () => '');
  const made = unseen === null ? request.makeContent(before.value) : refused(unseen);
  if (!made.ok) {
    return made;
  }
  const { bytes, notes } = made.value;
  const old = textOrNull(before.value?.bytes);
  const difference = unifiedDiff({ path, before: old, after: textOrNull(bytes) });
  const hash = hashBytes(bytes);
  // All that is written is shown to a user who is asked, also what makes it no text, such as a NUL.
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
    // A file that its owner shut against changes is not exchanged for another one.
    accessSync(reach.proof === 'kernel-link' ? pathOfDescriptor(opened.descriptor) : realPath, constants.W_OK);
    return null;
  } catch (error) {
    return refuseFault(path, error);
  }
}

/** Only what is there can be changed in part. */
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

/** Null for none; for content that is no text a word in its place, so that its diff says so. */
function textOrNull(bytes: Uint8Array | undefined): string | null {
  if (bytes === undefined) {
    return null;
  }
  const decoded = decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return decoded.ok ? decoded.text : `(no text: ${bytes.byteLength} bytes)\n`;
}

type ChangedContent = {
  readonly reach: RunReach;
  readonly place: EditTarget;
  readonly bytes: Uint8Array;
  readonly hash: string;
  /** Of the file that was read; null where there was none. */
  readonly before: { readonly bytes: Uint8Array; readonly stats: Stats } | null;
  readonly journal: ChangeJournal;
};

const newFileMode = 0o666;
const newDirectoryMode = 0o777;
const permissionBits = 0o777;
const allModeBits = 0o7777;

/**
 * Puts content in a file, whole or not at all: into a file next to it first, which takes its place when the journal has the change. Everything
 * happens in directories that are open, so that none can be exchanged for a link meanwhile. Resolves to null when it is done.
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

/** Throws what the system says, or that something else has come into its place. */
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
    throw new Error(`something else has come into the place of ${showName(reach.display(path))}`);
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
    // Something has come to where there was nothing.
    if (errorCode(error) === 'EEXIST') {
      return changedSinceRead(showName(reach.display(place.realPath)));
    }
    throw error;
  } finally {
    removeTemporary(temporary);
  }
}

/** Returns the permission bits that the file has got. */
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

/** What root makes in a directory of a user's is for that user, as in a container with the project of its host. */
const isRoot = process.getuid?.() === 0;

function ownerOf(directory: HeldDirectory): Owner {
  return lstatSync(directory.pathOf(directory.realPath));
}

/** A server of root's must not take a user's files away from them. Others may give nothing away: the file is theirs then. */
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

/** Whether the file is the one that was read, as far as the system tells without reading it again. */
function isUnchanged(directory: HeldDirectory, { place, before }: ChangedContent): boolean {
  const now = statsAt(directory, place.realPath);
  if (now === null || before === null) {
    return now === null && before === null;
  }
  const { stats } = before;
  const sameFile = now.ino === stats.ino && now.dev === stats.dev && now.size === stats.size;
  return sameFile && now.mtimeMs === stats.mtimeMs && now.ctimeMs === stats.ctimeMs;
}

/** What is new takes no other file's place; not every file system has the hard links that promise so. */
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
    // It has taken its place, or was never made.
  }
}

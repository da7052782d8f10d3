import { createHash } from 'node:crypto';
import { type BigIntStats, chmodSync, constants, fstatSync, lstatSync } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { canOpenPaths, openPath, pathOfDescriptor } from '../../disk/descriptor-paths.ts';
import { closeDescriptor } from '../../disk/open-verified.ts';
import { isMissing } from '../../processes/error-code.ts';
import { absent, type FileState } from './file-state.ts';

/** Distinguishes states of a path without reading it. */
export type FileStamp = Readonly<Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mode' | 'nlink' | 'mtimeNs' | 'ctimeNs'>>;

export type LookedAt = {
  readonly state: FileState;
  /** Null if nothing exists there. */
  readonly stamp: FileStamp | null;
};

// Do not block on a pipe that takes the place of a file.
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const modeBits = 0o7777;

/** Inspects a path without following a final link, and reads the whole content of a file. Rejects if the system refuses. */
export async function statEntry(at: string): Promise<LookedAt> {
  const stats = await statOf(at);
  if (stats === null) {
    return { state: absent, stamp: null };
  }
  return stats.isFile() ? readState(at, stats) : { state: await stateWithoutContent(at, stats), stamp: stampOf(stats) };
}

/** Null if nothing exists there. */
export async function stampAt(at: string): Promise<FileStamp | null> {
  const stats = await statOf(at);
  return stats === null ? null : stampOf(stats);
}

export function isSameStamp(one: FileStamp | null, other: FileStamp | null): boolean {
  if (one === null || other === null) {
    return one === other;
  }
  const isSamePlace = one.ino === other.ino && one.dev === other.dev && one.mode === other.mode;
  return isSamePlace && one.size === other.size && one.mtimeNs === other.mtimeNs && one.ctimeNs === other.ctimeNs;
}

export function stampOf({ dev, ino, size, mode, nlink, mtimeNs, ctimeNs }: BigIntStats): FileStamp {
  return { dev, ino, size, mode, nlink, mtimeNs, ctimeNs };
}

/** In milliseconds since the epoch. */
export function modifiedAtOf({ mtimeNs }: FileStamp): number {
  return Number(mtimeNs) / 1e6;
}

export function modeOf({ mode }: FileStamp): number {
  return Number(mode) & modeBits;
}

async function statOf(at: string): Promise<BigIntStats | null> {
  try {
    return await lstat(at, { bigint: true });
  } catch (error) {
    if (isMissing(error) || isNoDirectory(error)) {
      return null;
    }
    throw error;
  }
}

/** A file has taken the place of a parent directory. */
function isNoDirectory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOTDIR';
}

async function stateWithoutContent(at: string, stats: BigIntStats): Promise<FileState> {
  if (stats.isSymbolicLink()) {
    return { kind: 'link', target: await readlink(at) };
  }
  return { kind: stats.isDirectory() ? 'directory' : 'other', mode: modeOf(stats) };
}

async function readState(at: string, seen: BigIntStats): Promise<LookedAt> {
  let file: FileHandle;
  try {
    file = await open(at, readFlags);
  } catch {
    // It exists, but we may not read it.
    const state: FileState = { kind: 'file', mode: modeOf(seen), hash: null, sizeBytes: Number(seen.size) };
    return { state, stamp: stampOf(seen) };
  }
  try {
    const stats = await file.stat({ bigint: true });
    const hash = stats.isFile() ? await hashOfFile(file) : null;
    const state: FileState = { kind: 'file', mode: modeOf(stats), hash, sizeBytes: Number(stats.size) };
    // The stamp from before the read: a change during the read shows at the next look.
    return { state, stamp: stampOf(stats) };
  } finally {
    await file.close();
  }
}

const pieceBytes = 262_144;

async function hashOfFile(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(pieceBytes);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(piece, 0, pieceBytes, position);
    if (bytesRead === 0) {
      return hash.digest('hex');
    }
    hash.update(piece.subarray(0, bytesRead));
    position += bytesRead;
  }
}

/** The permission bits that the owner needs to read a directory or a file. */
function ownerBits(isDirectory: boolean): bigint {
  return isDirectory ? 0o500n : 0o400n;
}

/** Whether a mode closes a file or directory to its owner. */
export function isClosedMode(mode: bigint, isDirectory: boolean): boolean {
  const bits = ownerBits(isDirectory);
  return (mode & bits) !== bits;
}

/**
 * Opens a closed file or directory to us, its owner: to root as well, whose commands lack root's rights. Returns whether it did; throws if
 * the system refuses. On systems other than Linux, a link that takes its place in the last moment would be followed.
 */
export function reopenEntry(at: string): boolean {
  if (!canOpenPaths) {
    return reopen(lstatSync(at, { bigint: true }), at);
  }
  const place = openPath(at, false);
  try {
    return reopen(fstatSync(place, { bigint: true }), pathOfDescriptor(place));
  } finally {
    closeDescriptor(place);
  }
}

function reopen(stats: BigIntStats, at: string): boolean {
  const isDirectory = stats.isDirectory();
  const isOwn = process.getuid?.() === Number(stats.uid);
  if (!(isDirectory || stats.isFile()) || !isOwn || !isClosedMode(stats.mode, isDirectory)) {
    return false;
  }
  chmodSync(at, Number((stats.mode | ownerBits(isDirectory)) & 0o7777n));
  return true;
}

import { type BigIntStats, chmodSync, fstatSync, lstatSync } from 'node:fs';
import { canOpenPlaces, openPlace, pathOfDescriptor } from '../../files/descriptor-paths.ts';
import { closeDescriptor } from '../../files/open-verified.ts';

/** What its owner needs to see what is in a directory or a file. */
function ownerBits(isDirectory: boolean): bigint {
  return isDirectory ? 0o500n : 0o400n;
}

/** Whether a mode closes a file or directory to its owner. */
export function isClosedMode(mode: bigint, isDirectory: boolean): boolean {
  const bits = ownerBits(isDirectory);
  return (mode & bits) !== bits;
}

/**
 * Opens a file or directory to us who own it if it is closed: to root as well, whose commands have none of root's rights. Returns whether it
 * did; throws if the system refuses. Elsewhere than on Linux a moment remains in which a link in its place would be followed.
 */
export function reopenPlace(at: string): boolean {
  if (!canOpenPlaces) {
    return reopen(lstatSync(at, { bigint: true }), at);
  }
  const place = openPlace(at, false);
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

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

/** Whether a file or directory is closed to us who own it, so that a command could open it. Nothing is closed to the superuser. */
export function isClosed({ mode, uid }: Pick<BigIntStats, 'mode' | 'uid'>, isDirectory: boolean): boolean {
  const own = process.getuid?.();
  return own !== undefined && own !== 0 && uid === BigInt(own) && isClosedMode(mode, isDirectory);
}

/**
 * Opens a file or directory to us who own it if it is closed. Returns whether it did; throws if the system refuses. Elsewhere than on Linux a
 * moment remains in which a link in its place would be followed.
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
  if (!(isDirectory || stats.isFile()) || !isClosed(stats, isDirectory)) {
    return false;
  }
  chmodSync(at, Number((stats.mode | ownerBits(isDirectory)) & 0o7777n));
  return true;
}

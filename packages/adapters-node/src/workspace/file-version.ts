import type { BigIntStats } from 'node:fs';

/** Distinguishes states of a file's contents without reading it. */
export type FileVersion = Readonly<Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>>;

/** Copies only the relevant fields, so that the rest of the system's answer is not retained. */
export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileVersion {
  return { dev, ino, size, mtimeNs, ctimeNs };
}

export function isSameVersion(one: FileVersion, other: FileVersion): boolean {
  return (
    one.ino === other.ino &&
    one.dev === other.dev &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs
  );
}

/** The coarsest timestamps of file systems in use (FAT), and more than the ticks of a kernel's clock. */
const granularityNs = 2_000_000_000n;

/**
 * Whether the timestamps of a file read at `readAtMs` will show every later change. A file that had just changed could change again within
 * the same tick, and so could one whose timestamps lie in the future.
 */
export function isSettled({ mtimeNs, ctimeNs }: FileVersion, readAtMs: number): boolean {
  const newestNs = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  return BigInt(Math.floor(readAtMs)) * 1_000_000n - newestNs > granularityNs;
}

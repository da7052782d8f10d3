import type { BigIntStats } from 'node:fs';

/** What tells one state of a file's contents from another without reading it. */
export type FileVersion = Readonly<Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>>;

/** Copies out of the system's answer what counts, so that nothing else is kept. */
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

/** The coarsest times that file systems in use keep (FAT), and more than the ticks of a kernel's clock. */
const granularityNs = 2_000_000_000n;

/**
 * Whether a file that was read at `readAtMs` shows every later change by its times. One that had changed a moment before
 * could change again within the same tick, and so could one whose times lie in the future.
 */
export function isSettled({ mtimeNs, ctimeNs }: FileVersion, readAtMs: number): boolean {
  const newestNs = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  return BigInt(Math.floor(readAtMs)) * 1_000_000n - newestNs > granularityNs;
}

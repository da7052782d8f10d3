import type { TimeSlicesOptions } from '../../files/time-slices.ts';
import { type CopyLimits, type CopyResult, DirectoryCopy, type DirectoryCopyOptions } from './directory-copy.ts';

export const copyLimits: CopyLimits = { maxFiles: 20_000, maxBytes: 134_217_728, maxFileBytes: 8_388_608 };

/** Copies what Gemini may read of a directory, as it is now: see `DirectoryCopy.update`. */
export function copyDirectory(
  { deadlineAtMs, ...options }: DirectoryCopyOptions & TimeSlicesOptions,
  signal: AbortSignal,
): Promise<CopyResult> {
  return new DirectoryCopy(options).update(deadlineAtMs, signal);
}

import type { LeftOutReason } from '@gemini-mcp/core';

/** Why something could not be read, as an entry of `leftOut` says it. */
export type Refusal = {
  readonly ok: false;
  readonly reason: LeftOutReason;
  readonly detail?: string;
};

const reasons: Readonly<Record<string, LeftOutReason>> = {
  ENOENT: 'not-found',
  ENOTDIR: 'not-found',
  // Node refuses a name that holds a NUL: no file can have it.
  ERR_INVALID_ARG_VALUE: 'not-found',
  ENAMETOOLONG: 'name-too-long',
  // Opening a socket, or a device without a driver.
  ENXIO: 'not-a-file',
  ENODEV: 'not-a-file',
};

/** Says what a failed call of the file system means. */
export function refusalOf(error: unknown): Refusal {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';
  return { ok: false, reason: reasons[code] ?? 'unreadable', detail: code };
}

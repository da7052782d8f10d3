import type { LeftOutReason } from '@gemini-mcp/core';

/** The reason why a file could not be read, as reported in `leftOut`. */
export type Refusal = {
  readonly ok: false;
  readonly reason: LeftOutReason;
  readonly detail?: string;
};

const reasons: Readonly<Record<string, LeftOutReason>> = {
  ENOENT: 'not-found',
  ENOTDIR: 'not-found',
  // Node refuses a name with a NUL character: no file can have one.
  ERR_INVALID_ARG_VALUE: 'not-found',
  ENAMETOOLONG: 'name-too-long',
  // Opening a socket, or a device without a driver.
  ENXIO: 'not-a-file',
  ENODEV: 'not-a-file',
};

/** Translates a failed file system call. */
export function toRefusal(error: unknown): Refusal {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';
  return { ok: false, reason: reasons[code] ?? 'unreadable', detail: code };
}

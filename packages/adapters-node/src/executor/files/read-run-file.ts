import { createHash } from 'node:crypto';
import type { StepResult } from '@gemini-mcp/core';
import { looksSecret, notText, refused, tooLarge } from '@gemini-mcp/core/internal';
import { closeDescriptor, type Opened, openVerified } from '../../files/open-verified.ts';
import { readWhole } from '../../files/read-whole.ts';
import { isSensitivePath } from '../../files/sensitive-names.ts';
import { decodeText } from '../../files/text-decoding.ts';
import { refusePlace } from './refuse-place.ts';
import { type RunReach, showName } from './run-reach.ts';

/** A file as it was at one moment. */
export type RunFile = {
  readonly realPath: string;
  readonly bytes: Buffer;
  readonly stats: Opened['stats'];
};

export type ReadRequest = {
  readonly reach: RunReach;
  /** As the model gave it. */
  readonly name: string;
  readonly maxBytes: number;
  /** What to do with a file that is larger. */
  readonly hint: string;
};

/** Opens a file that a run may read, and gives it to `use`, which has to be done with the descriptor when it returns. */
export function useRunFile<Value>(
  reach: RunReach,
  name: string,
  use: (opened: Opened) => StepResult<Value>,
): StepResult<Value> {
  const located = reach.locate(name);
  if (!located.ok) {
    return located;
  }
  const { absolutePath } = located.value;
  if (isSensitivePath(absolutePath)) {
    return refused(looksSecret(showName(name)));
  }
  const { roots, proof } = reach;
  const opened = openVerified({ path: absolutePath, kind: 'file', roots, proof, followsLink: true });
  if (!opened.ok) {
    return refused(refusePlace(name, opened));
  }
  try {
    return isSecretPlace(opened.realPath) ? refused(looksSecret(showName(name))) : use(opened);
  } finally {
    closeDescriptor(opened.descriptor);
  }
}

/** Reads a whole file that a run may read, into memory of its own. */
export function readRunFile({ reach, name, maxBytes, hint }: ReadRequest): StepResult<RunFile> {
  return useRunFile(reach, name, (opened) => readOpened(opened, { name, maxBytes, hint }));
}

/** The same for a file that is open. */
export function readOpened(
  { descriptor, realPath, stats }: Opened,
  { name, maxBytes, hint }: Omit<ReadRequest, 'reach'>,
): StepResult<RunFile> {
  if (stats.size > maxBytes) {
    return refused(tooLarge(showName(name), stats.size, maxBytes, hint));
  }
  const read = readWhole(descriptor, stats.size, { ofAtLeast: (size) => Buffer.allocUnsafeSlow(size) });
  return read.ok ? { ok: true, value: { realPath, bytes: read.bytes, stats } } : refused(refusePlace(name, read));
}

/** The kernel adds this to a path whose last name is gone, even where another hard link keeps the file. */
export function isSecretPlace(realPath: string): boolean {
  return isSensitivePath(realPath) || isSensitivePath(realPath.replace(/ \(deleted\)$/, ''));
}

/** The text of a file; a refusal for what is no UTF-8 text. */
export function textOf({ bytes }: Pick<RunFile, 'bytes'>, name: string): StepResult<string> {
  const decoded = decodeText(bytes);
  return decoded.ok
    ? { ok: true, value: decoded.text }
    : refused(notText(showName(name), decoded.detail ?? decoded.reason));
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

import { createHash } from 'node:crypto';
import type { InlineMedia, StepResult, ViewedFile, ViewFileRequest } from '@gemini-mcp/core';
import { looksSecret, noMedia, notText, refused, type SeenFiles, tooLarge, viewLines } from '@gemini-mcp/core/internal';
import { closeDescriptor, type Opened, openVerified } from '../../disk/open-verified.ts';
import { readMediaType } from '../../disk/read-media-type.ts';
import { readWhole } from '../../disk/read-whole.ts';
import { isSensitivePath } from '../../disk/sensitive-names.ts';
import { decodeText } from '../../disk/text-decoding.ts';
import { refuseTarget } from './refuse-target.ts';
import { type RunReach, showName } from './run-reach.ts';

/** The state of a file at one moment. */
export type RunFile = {
  readonly realPath: string;
  readonly bytes: Buffer;
  readonly stats: Opened['stats'];
};

export type ReadRequest = {
  readonly reach: RunReach;
  /** The model's own name for it. */
  readonly name: string;
  readonly maxBytes: number;
  /** What to do about a larger file. */
  readonly hint: string;
};

/** Opens a file that a run may read and passes it to `use`, which must not use the descriptor after returning. */
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
    return refused(refuseTarget(name, opened));
  }
  try {
    return isSecretPlace(opened.realPath) ? refused(looksSecret(showName(name))) : use(opened);
  } finally {
    closeDescriptor(opened.descriptor);
  }
}

/** Reads a whole file that a run may read, into its own memory. */
function readRunFile({ reach, name, maxBytes, hint }: ReadRequest): StepResult<RunFile> {
  return useRunFile(reach, name, (opened) => readOpened(opened, { name, maxBytes, hint }));
}

/** Like `readRunFile`, for an open file. */
export function readOpened(
  { descriptor, realPath, stats }: Opened,
  { name, maxBytes, hint }: Omit<ReadRequest, 'reach'>,
): StepResult<RunFile> {
  if (stats.size > maxBytes) {
    return refused(tooLarge(showName(name), stats.size, maxBytes, hint));
  }
  const read = readWhole(descriptor, stats.size, { ofAtLeast: (size) => Buffer.allocUnsafeSlow(size) });
  return read.ok ? { ok: true, value: { realPath, bytes: read.bytes, stats } } : refused(refuseTarget(name, read));
}

/** The kernel appends this to a path whose last name is gone, even if another hard link keeps the file. */
export function isSecretPlace(realPath: string): boolean {
  return isSensitivePath(realPath) || isSensitivePath(realPath.replace(/ \(deleted\)$/, ''));
}

/** The text of a file; a refusal if it is not UTF-8 text. */
export function textOfFile({ bytes }: Pick<RunFile, 'bytes'>, name: string): StepResult<string> {
  const decoded = decodeText(bytes);
  return decoded.ok
    ? { ok: true, value: decoded.text }
    : refused(notText(showName(name), decoded.detail ?? decoded.reason));
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The whole file is read for its hash, even if only a few lines are requested. */
const maxViewedBytes = 10_485_760;
const maxMediaBytes = 20_971_520;

/** Shows lines of a file, and remembers its contents. */
export function viewRunFile(reach: RunReach, seen: SeenFiles, request: ViewFileRequest): StepResult<ViewedFile> {
  const { path: name } = request;
  const hint = 'Search it for the lines that matter.';
  const read = readRunFile({ reach, name, maxBytes: maxViewedBytes, hint });
  if (!read.ok) {
    forgetMissing(reach, seen, name, read.refusal.code);
    return read;
  }
  const text = textOfFile(read.value, name);
  const viewed = text.ok ? viewLines(text.value, request) : text;
  if (!viewed.ok) {
    return viewed;
  }
  const hash = hashBytes(read.value.bytes);
  seen.see(read.value.realPath, hash, viewed.value.seen);
  return { ok: true, value: { path: reach.display(read.value.realPath), ...viewed.value.viewed, hash } };
}

/** Notices that a file seen under the same name is gone. */
function forgetMissing(reach: RunReach, seen: SeenFiles, name: string, code: string): void {
  const located = reach.locate(name);
  if (code === 'not-found' && located.ok) {
    seen.forget(located.value.absolutePath);
  }
}

/** Reads a medium that Gemini accepts. */
export function lookAtRunFile(reach: RunReach, name: string): StepResult<InlineMedia> {
  return useRunFile(reach, name, (opened) => {
    const mediaType = readMediaType(opened.descriptor);
    if (mediaType === null) {
      return refused(noMedia(showName(name)));
    }
    const read = readOpened(opened, { name, maxBytes: maxMediaBytes, hint: 'Make it smaller.' });
    if (!read.ok) {
      return read;
    }
    const { buffer, byteOffset, length } = read.value.bytes;
    const bytes = new Uint8Array(buffer, byteOffset, length);
    return { ok: true, value: { path: reach.display(opened.realPath), mediaType, bytes } };
  });
}

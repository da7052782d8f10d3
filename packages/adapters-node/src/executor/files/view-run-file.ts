import type { InlineMedia, StepResult, ViewedFile, ViewFileRequest } from '@gemini-mcp/core';
import { noMedia, refused, type SeenFiles, viewLines } from '@gemini-mcp/core/internal';
import { readMediaType } from '../../files/read-media-type.ts';
import { hashBytes, readOpened, readRunFile, textOf, useRunFile } from './read-run-file.ts';
import { type RunReach, showName } from './run-reach.ts';

/** All of a file is read for its hash, also where a few lines are asked for. */
const maxViewedBytes = 10_485_760;
const maxMediaBytes = 20_971_520;

/** Shows lines of a file, and remembers what was in it. */
export function viewRunFile(reach: RunReach, seen: SeenFiles, request: ViewFileRequest): StepResult<ViewedFile> {
  const { path: name } = request;
  const hint = 'Search it for the lines that matter.';
  const read = readRunFile({ reach, name, maxBytes: maxViewedBytes, hint });
  if (!read.ok) {
    forgetMissing(reach, seen, name, read.refusal.code);
    return read;
  }
  const text = textOf(read.value, name);
  const viewed = text.ok ? viewLines(text.value, request) : text;
  if (!viewed.ok) {
    return viewed;
  }
  const hash = hashBytes(read.value.bytes);
  seen.see(read.value.realPath, hash, viewed.value.seen);
  return { ok: true, value: { path: reach.display(read.value.realPath), ...viewed.value.viewed, hash } };
}

/** Notices that a file is gone that was seen under the same name. */
function forgetMissing(reach: RunReach, seen: SeenFiles, name: string, code: string): void {
  const located = reach.locate(name);
  if (code === 'not-found' && located.ok) {
    seen.forget(located.value.absolutePath);
  }
}

/** Reads a medium that Gemini takes. */
export function lookAtRunFile(reach: RunReach, name: string): StepResult<InlineMedia> {
  return useRunFile(reach, name, (opened) => {
    const mediaType = readMediaType(opened.descriptor);
    if (mediaType === null) {
      return refused(noMedia(showName(name)));
    }
    const read = readOpened(opened, { name, maxBytes: maxMediaBytes, hint: 'Make a smaller one of it.' });
    if (!read.ok) {
      return read;
    }
    const { buffer, byteOffset, length } = read.value.bytes;
    const bytes = new Uint8Array(buffer, byteOffset, length);
    return { ok: true, value: { path: reach.display(opened.realPath), mediaType, bytes } };
  });
}

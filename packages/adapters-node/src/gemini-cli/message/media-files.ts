import type { InlineMedia } from '@gemini-mcp/core';

/** The CLI derives a media type from a file's name; these types reached the model unchanged. */
const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'application/pdf': 'pdf',
};

export const cliMediaTypes: readonly string[] = Object.keys(extensions);

/** A request to the API may have 20 MB, and base64 turns three bytes into four. The CLI itself takes 20 MB a file. */
export const maxMediaBytes = 14_000_000;

export type MediaFile = {
  /** Unlike any name from another source. */
  readonly name: string;
  readonly bytes: Uint8Array;
};

/** The files that carry media to the model, in order. */
export function nameMediaFiles(media: readonly InlineMedia[], runId: string): readonly MediaFile[] {
  return media.map(({ mediaType, bytes }, index) => ({
    name: `${runId}-${index + 1}.${extensions[mediaType] ?? 'bin'}`,
    bytes,
  }));
}

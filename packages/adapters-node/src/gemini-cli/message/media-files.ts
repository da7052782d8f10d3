import type { InlineMedia } from '@gemini-mcp/core';

/** The CLI tells a media type by the name of a file; these are the types that reached the model under their own. */
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

/** A request to the API may have 20 MB, and base64 makes four bytes of three. The CLI itself takes 20 MB a file. */
export const maxMediaBytes = 14_000_000;

export type MediaFile = {
  /** Unlike any name that somebody else has given. */
  readonly name: string;
  readonly bytes: Uint8Array;
};

/** The files through which media reach the model, in order. */
export function nameMediaFiles(media: readonly InlineMedia[], runId: string): readonly MediaFile[] {
  return media.map(({ mediaType, bytes }, index) => ({
    name: `${runId}-${index + 1}.${extensions[mediaType] ?? 'bin'}`,
    bytes,
  }));
}

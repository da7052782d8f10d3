import { readSync } from 'node:fs';
import { mediaHeadBytes, mediaTypeOf } from '@gemini-mcp/core';

/** The media type of an open file by its first bytes; null for any other file. Does not move the descriptor's position. */
export function readMediaType(descriptor: number): string | null {
  const head = new Uint8Array(mediaHeadBytes);
  try {
    const count = readSync(descriptor, head, 0, mediaHeadBytes, 0);
    return mediaTypeOf(head.subarray(0, count));
  } catch {
    // The later read of the whole file reports the reason.
    return null;
  }
}

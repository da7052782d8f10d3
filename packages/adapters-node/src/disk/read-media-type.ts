import { readSync } from 'node:fs';
import { mediaHeadBytes, mediaTypeOf } from '@gemini-mcp/core';

/** The type of a medium that is open, by how it begins; null for anything else. Leaves the descriptor's position alone. */
export function readMediaType(descriptor: number): string | null {
  const head = new Uint8Array(mediaHeadBytes);
  try {
    const count = readSync(descriptor, head, 0, mediaHeadBytes, 0);
    return mediaTypeOf(head.subarray(0, count));
  } catch {
    // The one that reads the file itself says why it cannot be read.
    return null;
  }
}

import { createHmac, randomBytes } from 'node:crypto';
import type { BoundaryOf } from '@gemini-mcp/core';

/** 96 bits: no one guesses them, and no text holds them by chance. */
const boundaryCharacters = 24;

/**
 * Makes boundaries from the parts of a message and a key (HMAC with SHA-256). The key is a fresh one that never leaves this process: what
 * anyone learns of a boundary is worth nothing after it, and Google's cache lasts for minutes only.
 */
export function createKeyedBoundary(key: Uint8Array = randomBytes(32)): BoundaryOf {
  return (parts) => {
    const digest = createHmac('sha256', key);
    for (const part of parts) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      // The length before each part, so that no two lists of parts are one text.
      digest.update(`${bytes.byteLength}:`).update(bytes);
    }
    return digest.digest('hex').slice(0, boundaryCharacters);
  };
}

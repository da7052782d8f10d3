import { createHmac, randomBytes } from 'node:crypto';
import type { BoundaryOf } from '@gemini-mcp/core';

/** 65 bits: cannot be guessed, and no text contains them by chance. */
const boundaryLetters = 14;

const firstLetter = 97;
const letters = 26;

/**
 * Creates boundaries from the parts of a message and a key (HMAC-SHA-256). The default key is fresh and never leaves this process: a leaked
 * boundary is worthless once the process ends, and Google's cache lasts only minutes.
 */
export function createKeyedBoundary(key: Uint8Array = randomBytes(32)): BoundaryOf {
  return (parts) => {
    const digest = createHmac('sha256', key);
    for (const part of parts) {
      // A type and a length before each part, so that no two lists of parts join to the same text. A string is hashed without a copy: a copy
      // of megabytes takes as long as their digest.
      digest.update(typeof part === 'string' ? `s${part.length}:` : `b${part.length}:`).update(part);
    }
    return lettersOf(digest.digest().subarray(0, boundaryLetters));
  };
}

/** Each tag of a message holds the boundary, and 14 letters come to 7 tokens of Gemini, where as many bits in hexadecimal come to 14. */
function lettersOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(firstLetter + (byte % letters))).join('');
}

import { createHmac, randomBytes } from 'node:crypto';
import type { BoundaryOf } from '@gemini-mcp/core';

/** 65 bits: no one guesses them, and no text holds them by chance. */
const boundaryLetters = 14;

const firstLetter = 97;
const letters = 26;

/**
 * Makes boundaries from the parts of a message and a key (HMAC with SHA-256). The key is a fresh one that never leaves this process: what
 * anyone learns of a boundary is worth nothing after it, and Google's cache lasts for minutes only.
 */
export function createKeyedBoundary(key: Uint8Array = randomBytes(32)): BoundaryOf {
  return (parts) => {
    const digest = createHmac('sha256', key);
    for (const part of parts) {
      // What it is and its length before each part, so that no two lists of parts are one text. A string goes in as it is: a copy of
      // megabytes takes as long as their digest.
      digest.update(typeof part === 'string' ? `s${part.length}:` : `b${part.length}:`).update(part);
    }
    return lettersOf(digest.digest().subarray(0, boundaryLetters));
  };
}

/** Each tag of a message holds the boundary, and 14 letters come to 7 tokens of Gemini, where as many bits in hexadecimal come to 14. */
function lettersOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(firstLetter + (byte % letters))).join('');
}

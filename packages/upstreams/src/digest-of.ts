import { createHash } from 'node:crypto';

/** SHA-256 of a text's UTF-8, as lower-case hexadecimal. Half of a surrogate pair counts as U+FFFD: convert texts that may contain one to JSON first. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

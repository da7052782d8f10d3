import { createHash } from 'node:crypto';

/** SHA-256 of a text's UTF-8, as hexadecimal digits in lower case. A half of a surrogate pair counts as U+FFFD: texts that may have one are JSON first. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

import { utf8Length } from '../context/utf8-length.ts';
import type { Session } from '../ports/session-store.ts';
import type { RecordBounds } from '../retention/record-ledger.ts';

const mebibyte = 1_048_576;

/** How much of conversations is kept. */
export type SessionBounds = RecordBounds & {
  /** Of one conversation. */
  readonly maxBytesOfRecord: number;
};

/**
 * On a disk. One conversation may be as long as a model can take in Chinese (4.2 million characters of three bytes); a thousand
 * of ordinary length take some 30 MiB.
 */
export const storedSessionBounds: SessionBounds = {
  maxBytesOfRecord: 16 * mebibyte,
  maxRecordsOfOwner: 1_000,
  maxBytesOfOwner: 128 * mebibyte,
  maxBytes: 1_024 * mebibyte,
};

/** In memory, of which there is less. */
export const heldSessionBounds: SessionBounds = {
  ...storedSessionBounds,
  maxBytesOfOwner: 64 * mebibyte,
  maxBytes: 256 * mebibyte,
};

/** What names and numbers of a session or a turn take at most, about. */
const bytesBesideText = 256;

/** About what a session takes: its texts in UTF-8, and something for what is around them. */
export function sizeOfSession({ turns, systemPrompt }: Session): number {
  const texts = turns.reduce((sum, { text }) => sum + utf8Length(text) + bytesBesideText, 0);
  return texts + utf8Length(systemPrompt ?? '') + bytesBesideText;
}

/** Why a session of so many bytes is not kept, in words for a user. */
export function tooLargeToKeep(bytes: number, { maxBytesOfRecord }: Pick<SessionBounds, 'maxBytesOfRecord'>): string {
  return `it has ${bytes} bytes, more than the ${maxBytesOfRecord} that one may have`;
}

import type { RecordBounds } from '../ports/record-store.ts';

const mebibyte = 1_048_576;

/** How much is kept of conversations. */
export type SessionBounds = RecordBounds & {
  /** Of one conversation. */
  readonly maxBytesOfRecord: number;
};

/**
 * On a disk. One conversation may be as long as a model's window in Chinese (4.2 million characters of three bytes); a thousand of ordinary length
 * take about 30 MiB.
 */
export const storedSessionBounds: SessionBounds = {
  maxBytesOfRecord: 16 * mebibyte,
  maxRecordsOfOwner: 1_000,
  maxBytesOfOwner: 128 * mebibyte,
  maxBytes: 1_024 * mebibyte,
};

/** In memory, which is smaller. */
export const heldSessionBounds: SessionBounds = {
  ...storedSessionBounds,
  maxBytesOfOwner: 64 * mebibyte,
  maxBytes: 256 * mebibyte,
};

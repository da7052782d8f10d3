import type { RecordToPut } from '../ports/record-store.ts';
import { utf8Length } from '../text/utf8-length.ts';

/** A listing reads the summaries of all records that it returns. */
const maxSummaryBytes = 16_384;

const keyPattern = /^[a-z0-9][a-z0-9-]{0,127}$/;

/** Whether a key is valid. Valid keys have no character with a meaning in a path, a pattern or a query. */
export function isRecordKey(key: string): boolean {
  return keyPattern.test(key);
}

/** Why every store refuses this record, as a text for a user; null if it is acceptable. */
export function whyUnfit({ kind, key, summary }: RecordToPut, bytes: number): string | null {
  if (!isRecordKey(key)) {
    return 'its id is not valid';
  }
  if (utf8Length(summary) > maxSummaryBytes) {
    return `its summary has more than ${maxSummaryBytes} bytes`;
  }
  return bytes > kind.maxBytesOfRecord ? tooLargeToKeep(bytes, { maxBytesOfRecord: kind.maxBytesOfRecord }) : null;
}

/** Why a record of this size is refused, as a text for a user. */
export function tooLargeToKeep(bytes: number, { maxBytesOfRecord }: { readonly maxBytesOfRecord: number }): string {
  return `it has ${bytes} bytes, and the limit is ${maxBytesOfRecord}`;
}

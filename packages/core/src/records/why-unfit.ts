import type { RecordToPut } from '../ports/record-store.ts';
import { utf8Length } from '../text/utf8-length.ts';

/** A listing reads the summaries of all records that it returns. */
const maxSummaryBytes = 16_384;

const keyPattern = /^[a-z0-9][a-z0-9-]{0,127}$/;

/** Whether a record may have this key. It has no character that means something in a path, a pattern or a query. */
export function isRecordKey(key: string): boolean {
  return keyPattern.test(key);
}

/** Why no store keeps a record of this many bytes, in words for a user; null if nothing speaks against it. */
export function whyUnfit({ kind, key, summary }: RecordToPut, bytes: number): string | null {
  if (!isRecordKey(key)) {
    return 'its id is not valid';
  }
  if (utf8Length(summary) > maxSummaryBytes) {
    return `its summary has more than ${maxSummaryBytes} bytes`;
  }
  return bytes > kind.maxBytesOfRecord ? tooLargeToKeep(bytes, { maxBytesOfRecord: kind.maxBytesOfRecord }) : null;
}

/** Why a record of this many bytes is refused, in words for a user. */
export function tooLargeToKeep(bytes: number, { maxBytesOfRecord }: { readonly maxBytesOfRecord: number }): string {
  return `it has ${bytes} bytes, more than the ${maxBytesOfRecord} that one may have`;
}

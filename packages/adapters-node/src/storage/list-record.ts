import { lstatSync, readdirSync } from 'node:fs';
import {
  type ContentName,
  goneName,
  parseContentName,
  parseHeadName,
  type RecordVersion,
} from '../disk/durable/record-names.ts';
import { isMissing } from '../processes/error-code.ts';

export type RecordListing = {
  readonly kind: 'record';
  /** The newest version; null if there is no head. */
  readonly head: RecordVersion | null;
  readonly contents: readonly ContentName[];
  /** Whether the record was being removed for its age. */
  readonly isGone: boolean;
};

export type NoRecord = { readonly kind: 'missing' } | { readonly kind: 'not-a-directory' };

/** Lists the names in a record's directory, without following a link to it. Throws if the system refuses. */
export function listRecord(directory: string): RecordListing | NoRecord {
  try {
    return lstatSync(directory).isDirectory() ? readNames(readdirSync(directory)) : { kind: 'not-a-directory' };
  } catch (error) {
    if (isMissing(error)) {
      return { kind: 'missing' };
    }
    throw error;
  }
}

/** The newest version of a record, null for anything else. Throws if the system refuses. */
export function headOf(directory: string): RecordVersion | null {
  const listing = listRecord(directory);
  return listing.kind === 'record' ? listing.head : null;
}

function readNames(names: readonly string[]): RecordListing {
  const heads = names.flatMap((name) => parseHeadName(name) ?? []);
  // If a listing is not a snapshot, a head that is being renamed can appear under both of its names.
  const head = heads.reduce<RecordVersion | null>(
    (newest, next) => (newest === null || next.version > newest.version ? next : newest),
    null,
  );
  return {
    kind: 'record',
    head,
    contents: names.flatMap((name) => parseContentName(name) ?? []),
    isGone: names.includes(goneName),
  };
}

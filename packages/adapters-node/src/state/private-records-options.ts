import type { Clock, RecordBounds } from '@gemini-mcp/core';
import type { Quarantined } from './quarantine.ts';
import type { RecordVersion } from './record-names.ts';

export type PrivateRecordsOptions<Value, Summary extends object> = {
  /** For this user alone; made when it is needed. */
  readonly stateDirectory: string;
  /** The directory in it that these records share with nothing else. */
  readonly kind: string;
  readonly clock: Clock;
  /** Whether a name may be a record's. It becomes part of a path, so it must not hold a separator or begin with a dot. */
  readonly isKey: (key: string) => boolean;
  /** What a record says, or why it is none of that owner and key. */
  readonly parse: (value: unknown, owner: string, key: string) => ParsedRecord<Value>;
  /** What a listing says of a value that takes so many bytes as JSON. It must be flat: no value of it an object or an array. */
  readonly summarize: (value: Value, bytes: number) => Summary;
  /** A summary as it was written, null where it is none of that owner and key. */
  readonly parseSummary: (summary: unknown, owner: string, key: string) => Summary | null;
  /** Of one record. */
  readonly maxBytes: number;
  /**
   * What is kept of all records. The account is taken when they are first used, and again with each sweep: what other processes
   * save in between is not counted.
   */
  readonly bounds: RecordBounds;
  /** Records whose last update is so long ago do not exist any more; null keeps them for ever. */
  readonly maxAgeMs: number | null;
  readonly onQuarantine: (quarantined: Quarantined) => void;
};

export type ParsedRecord<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

export type FoundRecord<Value> = { readonly value: Value; readonly version: number };

export type RecordEntry = RecordVersion & { readonly key: string };

export type RecordToWrite<Value> = {
  readonly owner: string;
  readonly key: string;
  /** 0 for a record that must not exist yet. */
  readonly expectedVersion: number;
  readonly stampMs: number;
  /** What JSON can hold. */
  readonly value: Value;
};

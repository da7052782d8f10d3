import type { RecordKind, RecordPlace, RecordStore } from '@gemini-mcp/core';
import type { Mutant } from '../prove-mutants.ts';
import type { BreakableRecordStore } from './breakable-record-store.ts';

type RightRecordStore = {
  readonly right: BreakableRecordStore;
  /** Numbers that all instances over the place share. */
  readonly memory: Map<string, number>;
};

export type RecordStoreMutant = Mutant & {
  /** Called for each instance over a place. */
  readonly change: (parts: RightRecordStore) => Partial<RecordStore>;
};

export const neverAborted: AbortSignal = new AbortController().signal;

/** Stores records under other names. */
export function movingPlaces(
  move: <Place extends Omit<RecordPlace, 'key'>>(place: Place) => Place,
): Pick<RecordStoreMutant, 'change'> {
  return {
    change: ({ right }) => ({
      get: (place, signal) => right.get(move(place), signal),
      put: (record, signal) => right.put(move(record), signal),
      list: (of, limit, signal) => right.list(move(of), limit, signal),
      delete: (place, signal) => right.delete(move(place), signal),
      owners: (kind, signal) => right.owners(move({ kind, owner: '' }).kind, signal),
    }),
  };
}

/** Keeps records of a kind by other rules. */
export function changingKinds(change: (kind: RecordKind) => RecordKind): Pick<RecordStoreMutant, 'change'> {
  return movingPlaces((place) => ({ ...place, kind: change(place.kind) }));
}

import { type Clock, InMemoryRecordStore, type RecordStore } from '@gemini-mcp/core';
import { describeRecordStoreContract } from '../src/record-store/record-store.contract.ts';
import type { RecordStoreHarness } from '../src/record-store/record-store-harness.ts';
import { allStoreFeatures } from '../src/stores/store-features.ts';
import { proveMutants } from './prove-mutants.ts';
import { BreakableRecordStore } from './record-store/breakable-record-store.ts';
import { recordPlaceMutants } from './record-store/record-place-mutants.ts';
import type { RecordStoreMutant } from './record-store/record-store-mutant.ts';
import { recordVersionMutants } from './record-store/record-version-mutants.ts';

function harnessOf(clock: Clock, mutant: RecordStoreMutant | null): RecordStoreHarness {
  const right = new BreakableRecordStore(new InMemoryRecordStore(clock));
  const memory = new Map<string, number>();
  const open = (): RecordStore => {
    const changed = mutant?.change({ right, memory }) ?? {};
    return {
      get: changed.get ?? ((place, signal) => right.get(place, signal)),
      put: changed.put ?? ((record, signal) => right.put(record, signal)),
      list: changed.list ?? ((of, limit, signal) => right.list(of, limit, signal)),
      delete: changed.delete ?? ((place, signal) => right.delete(place, signal)),
      owners: changed.owners ?? ((kind, signal) => right.owners(kind, signal)),
      watch: changed.watch ?? ((place, version, signal) => right.watch(place, version, signal)),
    };
  };
  return {
    store: open(),
    reopen: open,
    breakWriting: async () => {
      right.isBroken = true;
      return async () => {
        right.isBroken = false;
      };
    },
    damage: async (place, damage) => right.damage(place, damage),
    dispose: async () => undefined,
  };
}

proveMutants([...recordPlaceMutants, ...recordVersionMutants], (about, mutant) => {
  describeRecordStoreContract({
    ...about,
    features: allStoreFeatures,
    create: async (clock) => harnessOf(clock, mutant),
  });
});

import type { KeptPins, ToolPin } from '@gemini-mcp/core/internal';
import { describeKeptPinsContract } from '../src/kept-pins.contract.ts';
import type { KeptPinsHarness } from '../src/kept-pins-harness.ts';
import { allStoreFeatures } from '../src/store-features.ts';
import { breakableHarness } from './breakable-harness.ts';
import { BreakableRecords } from './breakable-records.ts';
import { keptPinsFaultMutants } from './kept-pins-fault-mutants.ts';
import { type KeptPinsMutant, lastOf, type PinRecords } from './kept-pins-mutant.ts';
import { keptPinsMutants } from './kept-pins-mutants.ts';
import { keyMutants } from './key-mutants.ts';
import { proveMutants } from './prove-mutants.ts';

function rightOver(records: PinRecords): KeptPins {
  return {
    load: async (key) => records.read(key) ?? (records.isBroken || records.values.has(key) ? [] : null),
    add: async (key, pins) => {
      const all = lastOf([...(records.read(key) ?? []), ...pins], (tool) => tool);
      return records.write(key, all) ? null : 'The disk is full.';
    },
  };
}

function harnessOf(mutant: KeptPinsMutant | null): KeptPinsHarness {
  const records: PinRecords = new BreakableRecords<readonly ToolPin[]>();
  const right = rightOver(records);
  const store: KeptPins = {
    load: (key, signal) => right.load(key, signal),
    add: (key, pins, signal) => right.add(key, pins, signal),
    ...mutant?.change?.(right, records),
  };
  const openEmpty = mutant?.forgets ? () => rightOver(new BreakableRecords<readonly ToolPin[]>()) : null;
  return breakableHarness({ store, openEmpty, records });
}

const byKey = keyMutants.map(
  ({ keyOf, ...about }): KeptPinsMutant => ({
    ...about,
    change: (right) => ({
      load: (key, signal) => right.load(keyOf(key), signal),
      add: (key, pins, signal) => right.add(keyOf(key), pins, signal),
    }),
  }),
);

proveMutants([...byKey, ...keptPinsMutants, ...keptPinsFaultMutants], (about, mutant) => {
  describeKeptPinsContract({
    ...about,
    features: allStoreFeatures,
    create: async () => harnessOf(mutant),
  });
});

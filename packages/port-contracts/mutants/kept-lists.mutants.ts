import type { KeptLists, ServerLists } from '@gemini-mcp/core/internal';
import { describeKeptListsContract } from '../src/kept-lists.contract.ts';
import type { KeptListsHarness } from '../src/kept-lists-harness.ts';
import { allStoreFeatures } from '../src/store-features.ts';
import { breakableHarness } from './breakable-harness.ts';
import { BreakableRecords } from './breakable-records.ts';
import type { KeptListsMutant } from './kept-lists-mutant.ts';
import { keptListsMutants } from './kept-lists-mutants.ts';
import { keptListsTextMutants } from './kept-lists-text-mutants.ts';
import { keyMutants } from './key-mutants.ts';
import { proveMutants } from './prove-mutants.ts';

function rightOver(records: BreakableRecords<ServerLists>): KeptLists {
  return {
    load: async (key) => records.read(key),
    save: async (key, lists) => {
      records.write(key, lists);
    },
  };
}

function harnessOf(mutant: KeptListsMutant | null): KeptListsHarness {
  const records = new BreakableRecords<ServerLists>();
  const right = rightOver(records);
  const store: KeptLists = {
    load: (key, signal) => right.load(key, signal),
    save: (key, lists, signal) => right.save(key, lists, signal),
    ...mutant?.change?.(right, records),
  };
  const openEmpty = mutant?.forgets ? () => rightOver(new BreakableRecords<ServerLists>()) : null;
  return breakableHarness({ store, openEmpty, records });
}

const byKey = keyMutants.map(
  ({ keyOf, ...about }): KeptListsMutant => ({
    ...about,
    change: (right) => ({
      load: (key, signal) => right.load(keyOf(key), signal),
      save: (key, lists, signal) => right.save(keyOf(key), lists, signal),
    }),
  }),
);

proveMutants([...byKey, ...keptListsTextMutants, ...keptListsMutants], (about, mutant) => {
  describeKeptListsContract({
    ...about,
    features: allStoreFeatures,
    create: async () => harnessOf(mutant),
  });
});

import type { RecordsHarness } from '../src/records-in-directory.ts';
import type { BreakableRecords } from './breakable-records.ts';

export type BreakableHarnessOptions<Store, Value> = {
  readonly store: Store;
  /** Over no records yet, for one whose records end with the instance; null where they outlive it. */
  readonly openEmpty: (() => Store) | null;
  /** Those of `store`. */
  readonly records: BreakableRecords<Value>;
};

/** The harness of a store over records in memory. */
export function breakableHarness<Store, Value>({
  store,
  openEmpty,
  records,
}: BreakableHarnessOptions<Store, Value>): RecordsHarness<Store> {
  return {
    store,
    reopen: openEmpty ?? (() => store),
    breakWriting: () => records.breakWriting(),
    damage: async (key, damage) => records.damage(key, damage),
    dispose: async () => undefined,
  };
}

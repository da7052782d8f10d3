import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { damageFiles, putFileInPlaceOf } from './damage-files.ts';
import { makeTemporaryDirectory } from './make-temporary-directory.ts';
import { allStoreFeatures, type RecordDamage, type StoreFeatures } from './store-features.ts';

export type RecordsHarness<Store> = {
  readonly store: Store;
  /** The same records as another process would see them. */
  readonly reopen: () => Store;
  /** Makes everything that is written fail, until what it resolves to is called. */
  readonly breakWriting?: () => Promise<() => Promise<void>>;
  /** Makes the record unreadable that has `name` in the path of its file, or else in its text. */
  readonly damage?: (name: string, damage: RecordDamage) => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export type RecordsInDirectory<Store> = {
  readonly features: StoreFeatures;
  readonly create: () => Promise<RecordsHarness<Store>>;
};

/** The harness of a store that keeps records in files: each test gets a directory, which is removed afterwards. */
export function recordsInTemporaryDirectory<Store>(
  createStore: (directory: string) => Store,
  { laterRecord }: { readonly laterRecord: string },
): RecordsInDirectory<Store> {
  return {
    features: allStoreFeatures,
    create: async () => {
      const base = makeTemporaryDirectory();
      const directory = join(base, 'records');
      mkdirSync(directory, { mode: 0o700 });
      return {
        store: createStore(directory),
        reopen: () => createStore(directory),
        breakWriting: async () => putFileInPlaceOf(directory),
        damage: async (key, damage) => damageFiles({ directory, key, damage, laterRecord }),
        dispose: async () => rmSync(base, { recursive: true, force: true }),
      };
    },
  };
}

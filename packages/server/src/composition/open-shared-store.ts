import { readSecretFile } from '@gemini-mcp/adapters-node/internal';
import { ValkeyRecordStore, type ValkeyRecordStoreOptions } from '@gemini-mcp/adapters-valkey';
import type { Log } from '../log/log.ts';
import type { Configuration } from '../settings/read-configuration.ts';

export type SharedStoreOptions = Pick<ValkeyRecordStoreOptions, 'clock' | 'onDamage'> & {
  readonly configuration: Pick<Configuration, 'storePasswordFile' | 'storePrefix'>;
  /** As in the settings. */
  readonly address: string;
};

/** The store that servers of several machines share. Connects at the first call. */
export function openSharedStore({ configuration, address, clock, onDamage }: SharedStoreOptions): ValkeyRecordStore {
  const { storePasswordFile, storePrefix: prefix } = configuration;
  return new ValkeyRecordStore({
    url: new URL(address),
    prefix,
    clock,
    ...(onDamage !== undefined && { onDamage }),
    readPassword: async () => (storePasswordFile === null ? null : await readPassword(storePasswordFile)),
  });
}

/** Logs once, at the start, which store is shared and whether it can be used. */
export async function logSharedStore(
  {
    configuration,
    ...options
  }: Omit<SharedStoreOptions, 'address'> & {
    readonly configuration: Pick<Configuration, 'store' | 'storePasswordFile' | 'storePrefix'>;
  },
  log: Log,
): Promise<void> {
  const { store: address, storePrefix: prefix } = configuration;
  if (address === null) {
    return;
  }
  log.info('shared-store', { address, prefix });
  const store = openSharedStore({ ...options, configuration, address });
  const problem = await store.findProblem();
  store.close();
  if (problem !== null) {
    log.warn('shared-store-unusable', {
      problem,
      message:
        'Calls that need stored data fail with the reason until this is mended. Nothing is kept on this machine instead.',
    });
  }
}

async function readPassword(path: string): Promise<string> {
  const file = await readSecretFile(path);
  if (!file.read) {
    throw new Error(`${path} ${file.reason}`);
  }
  return file.text;
}

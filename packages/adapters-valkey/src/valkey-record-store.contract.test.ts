import { randomBytes } from 'node:crypto';
import { AnswerRecords, type Clock, type RecordStore, SessionRecords } from '@gemini-mcp/core';
import { hasRedisServer } from '@gemini-mcp/fake-gemini/redis';
import {
  describeAnswerStoreContract,
  describeRecordStoreContract,
  describeSessionStoreContract,
  type RecordDamage,
} from '@gemini-mcp/port-contracts';
import { afterAll, beforeAll, describe } from 'vitest';
import { StorePlace } from './testing/store-place.ts';

const place = new StorePlace();
const features = { failures: true, damage: true, laterFormats: true };

describe.skipIf(!hasRedisServer)('ValkeyRecordStore, which needs redis-server', () => {
  beforeAll(() => place.start());
  afterAll(() => place.dispose());

  describeRecordStoreContract({
    name: 'ValkeyRecordStore',
    features,
    create: async (clock) => {
      const { damage, ...harness } = openPlace(clock, (records) => records);
      return { ...harness, damage: (record, how) => damage(record.key, how) };
    },
  });

  describeSessionStoreContract({
    name: 'SessionRecords in Redis',
    features: { ...features, retention: true },
    create: async ({ clock, ...options }) => {
      const { damage, ...harness } = openPlace(clock, (records) => new SessionRecords({ records, ...options }));
      return { ...harness, damage: ({ id }, how) => damage(id, how) };
    },
  });

  describeAnswerStoreContract({
    name: 'AnswerRecords in Redis',
    features,
    create: async (bounds) => {
      const createHandle = (): string => randomBytes(10).toString('hex');
      const { damage, ...harness } = openPlace(
        bounds.clock,
        (records) => new AnswerRecords({ records, createHandle, ...bounds }),
      );
      return { ...harness, damage: ({ handle }, how) => damage(handle, how) };
    },
  });
});

/** Breaks writing as a primary does that has lost its replicas. */
async function breakWriting(): Promise<() => Promise<void>> {
  await place.client.configSet('min-replicas-to-write', '1');
  return async () => void (await place.client.configSet('min-replicas-to-write', '0'));
}

function openPlace<Store>(clock: Clock, createStore: (records: RecordStore) => Store) {
  const prefix = place.newPrefix();
  const reopen = (): Store => createStore(place.open({ clock, prefix }));
  return {
    store: reopen(),
    reopen,
    breakWriting,
    damage: (key: string, how: RecordDamage) => place.damage(prefix, key, how),
    dispose: async () => place.closeStores(),
  };
}

import { FaultyProxy, RedisServer } from '@gemini-mcp/fake-gemini/redis';
import type { RecordDamage } from '@gemini-mcp/port-contracts';
import { createClient, type RedisClientType } from '@redis/client';
import { ValkeyRecordStore, type ValkeyRecordStoreOptions } from '../valkey-record-store.ts';

/** A server, a proxy before it, and stores over both. */
export class StorePlace {
  readonly server: RedisServer = new RedisServer();
  readonly proxy: FaultyProxy = new FaultyProxy(this.server.path);
  /** Past the proxy. */
  readonly client: RedisClientType = createClient({ socket: { path: this.server.path, tls: false } });
  readonly #stores = new Set<ValkeyRecordStore>();
  #places = 0;

  async start(): Promise<void> {
    await this.server.start();
    await this.proxy.open();
    await this.client.connect();
  }

  get url(): URL {
    return new URL(`redis://127.0.0.1:${this.proxy.port}`);
  }

  /** A prefix that no other test uses. */
  newPrefix(): string {
    this.#places += 1;
    return `test-${this.#places}`;
  }

  open(options: Pick<ValkeyRecordStoreOptions, 'clock'> & Partial<ValkeyRecordStoreOptions>): ValkeyRecordStore {
    const defaults = { url: this.url, prefix: 'test', readPassword: async () => null, patienceMs: 30_000 };
    const store = new ValkeyRecordStore({ ...defaults, ...options });
    this.#stores.add(store);
    return store;
  }

  async damage(prefix: string, key: string, damage: RecordDamage): Promise<void> {
    const [record] = await this.client.keys(`${prefix}:*:record:*:${key}`);
    if (record === undefined) {
      throw new Error('There is no such record.');
    }
    await this.#damages[damage](record);
  }

  readonly #damages: Readonly<Record<RecordDamage, (record: string) => Promise<unknown>>> = {
    truncated: async (record) => {
      const text = (await this.client.hGet(record, 'text')) ?? '';
      await this.client.hSet(record, 'text', text.slice(0, text.length / 2));
    },
    foreign: async (record) => {
      await this.client.del(record);
      await this.client.set(record, '[]');
    },
    'later-format': (record) => this.client.hSet(record, 'format', '99'),
  };

  closeStores(): void {
    for (const store of this.#stores) {
      store.close();
    }
    this.#stores.clear();
  }

  async dispose(): Promise<void> {
    this.closeStores();
    this.client.destroy();
    await this.proxy.close();
    await this.server.dispose();
  }
}

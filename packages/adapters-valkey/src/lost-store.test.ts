import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { RecordKind, RecordToPut, SaveResult } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { elsewhereCertificate, FaultyProxy, hasRedisServer } from '@gemini-mcp/fake-gemini/redis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { StorePlace } from './testing/store-place.ts';
import type { ValkeyRecordStore, ValkeyRecordStoreOptions } from './valkey-record-store.ts';

const signal = new AbortController().signal;

const kind: RecordKind = {
  ...{ name: 'notes', maxBytesOfRecord: 1_000_000, maxRecordsOfOwner: 100, maxBytesOfOwner: 10_000_000 },
  ...{ maxBytes: 10_000_000, maxAgeMs: null, whenFull: 'remove-oldest' as const },
};

const record: RecordToPut = {
  ...{ kind, owner: 'alice', key: 'first', expectedVersion: 0, stampMs: 1, summary: 'a topic', text: 'what it says' },
};

const place = new StorePlace();
let store: ValkeyRecordStore;

function open(options: Partial<ValkeyRecordStoreOptions> = {}): ValkeyRecordStore {
  return place.open({ clock: new FakeClock(), prefix: place.newPrefix(), ...options });
}

/** What a call of each kind ends with. */
async function say(to: ValkeyRecordStore = store): Promise<{ readonly read: string; readonly written: SaveResult }> {
  const [read, written] = await Promise.all([
    to.get(record, signal).then(
      () => 'read',
      ({ message }: Error) => message,
    ),
    to.put({ ...record, key: 'second' }, signal),
  ]);
  return { read, written };
}

/** Both calls fail, for this reason. */
function failed(reason: string): object {
  const detail = expect.stringContaining(reason);
  return {
    read: expect.stringMatching(/^The stored data cannot be read: the shared store at rediss?:\/\/[\w.]+:\d+ .*\.$/),
    written: { saved: false, reason: 'unavailable', detail },
  };
}

describe.skipIf(!hasRedisServer)('A store whose server fails (needs redis-server)', () => {
  beforeAll(() => place.start());
  afterEach(() => place.closeStores());
  afterAll(() => place.dispose());

  it('is away: every call says so, and goes on once the server is back', async () => {
    store = open({ patienceMs: 900 });
    await store.put(record, signal);
    await place.proxy.close();
    const startedAtMs = Date.now();
    expect(await say()).toEqual(failed('is not reachable: check that it runs (ECONNREFUSED)'));
    expect(await say()).toEqual(failed('is not reachable'));
    expect(await store.findProblem()).toContain('is not reachable');
    expect(await store.delete(record, signal)).toMatchObject({ deleted: false, reason: 'unavailable' });
    await expect(store.list(record, 10, signal)).rejects.toThrow('is not reachable');
    await expect(store.owners(kind, signal)).rejects.toThrow('is not reachable');
    expect(Date.now() - startedAtMs).toBeLessThan(10_000);
    await place.proxy.open();
    expect(await store.get(record, signal)).toMatchObject({ text: 'what it says' });
  });

  it('is silent: a write that was reported as failed is not carried out when the server wakes', async () => {
    store = open({ patienceMs: 900 });
    await store.put(record, signal);
    place.proxy.hold();
    expect(await say()).toEqual(failed('did not answer within a second: check its load and the network'));
    const run = await scriptsRun();
    place.proxy.release();
    await expect.poll(scriptsRun).toBe(run + 2);
    expect(await store.get({ ...record, key: 'second' }, signal)).toBeNull();
    expect(await store.get(record, signal)).toMatchObject({ text: 'what it says' });
  });

  it('lost the connection: the call tries again, and a record whose reply was lost is put once', async () => {
    store = open();
    await store.put(record, signal);
    place.proxy.cut();
    expect(await store.get(record, signal)).toMatchObject({ text: 'what it says' });
    place.proxy.loseReply();
    const saved = await store.put({ ...record, key: 'second' }, signal);
    expect(await store.get({ ...record, key: 'second' }, signal)).toMatchObject({ version: versionOf(saved) });
  });

  it('was restarted without its data: versions from before conflict', async () => {
    store = open();
    const expectedVersion = versionOf(await store.put(record, signal));
    place.client.destroy();
    await place.server.kill();
    await place.server.start();
    await place.client.connect();
    expect(await store.get(record, signal)).toBeNull();
    expect(await store.put({ ...record, expectedVersion }, signal)).toEqual({ saved: false, reason: 'conflict' });
    expect(await store.put(record, signal)).toMatchObject({ saved: true });
  });

  it.each([
    ['is full', { maxmemory: '1' }, { maxmemory: '0' }, 'is full: raise its maxmemory, or delete data (OOM)'],
    [
      'has lost its replicas',
      { 'min-replicas-to-write': '1' },
      { 'min-replicas-to-write': '0' },
      'accepts no writes without its replicas: check them (NOREPLICAS)',
    ],
  ])('%s: writes say so, and reads go on', async (_, fault, mended, detail) => {
    store = open();
    await store.put(record, signal);
    await place.client.configSet(fault);
    const said = await say().finally(() => place.client.configSet(mended));
    expect(said).toEqual({
      read: 'read',
      written: { saved: false, reason: 'unavailable', detail: expect.stringContaining(detail) },
    });
    expect((await say()).written).toMatchObject({ saved: true });
  });

  it('is a replica: writes say so, and so does the check of an operator', async () => {
    store = open();
    await place.client.replicaOf('127.0.0.1', 1);
    const said = await Promise.all([say(), store.findProblem()]).finally(() =>
      place.client.sendCommand(['REPLICAOF', 'NO', 'ONE']),
    );
    const detail = expect.stringContaining('is a read-only replica: name the primary in GEMINI_MCP_STORE (READONLY)');
    expect(said).toMatchObject([{ written: { detail } }, detail]);
    expect(await store.findProblem()).toBeNull();
  });

  it('may evict records: the check says so', async () => {
    store = open();
    await place.client.configSet('maxmemory-policy', 'allkeys-lru');
    const problem = await store.findProblem().finally(() => place.client.configSet('maxmemory-policy', 'noeviction'));
    expect(problem).toContain('may evict records: set its maxmemory-policy to noeviction (allkeys');
  });

  it('wants a password: a wrong or missing one is named, and the right one is read for each connection', async () => {
    let password: string | null = 'wrong';
    store = open({ readPassword: async () => password });
    await place.client.configSet('requirepass', 'right');
    try {
      expect(await say()).toEqual(failed('refuses the user or the password: check GEMINI_MCP_STORE'));
      password = null;
      expect(await say()).toEqual(failed('requires a password: set GEMINI_MCP_STORE_PASSWORD_FILE (NOAUTH)'));
      password = 'right';
      expect(await say()).toMatchObject({ read: 'read', written: { saved: true } });
    } finally {
      await place.client.configSet('requirepass', '');
    }
    const unread = open({ readPassword: () => Promise.reject(new Error('/run/password is not a file')) });
    expect(await say(unread)).toEqual(failed('cannot be logged in to: /run/password is not a file'));
  });

  it('gives a user only the keys of one prefix: the store works there, and says so elsewhere', async () => {
    // As docs/http/several-machines.md names them.
    const rights = ['+@read', '+@write', '+@scripting', '+@connection', '+info', '+time'];
    await place.client.aclSetUser('app', ['on', '>secret', '~mine:*', ...rights]);
    const url = new URL(`redis://app@127.0.0.1:${place.proxy.port}`);
    const readPassword = async (): Promise<string> => 'secret';
    expect(await say(open({ url, readPassword, prefix: 'mine' }))).toMatchObject({ written: { saved: true } });
    const other = open({ url, readPassword, prefix: 'yours' });
    expect(await say(other)).toEqual(failed('does not allow this user what the records need'));
  });

  it('holds data of another program under its names', async () => {
    const prefix = place.newPrefix();
    await place.client.set(`${prefix}:notes:ages`, 'mine');
    const { written } = await say(open({ prefix }));
    expect(written).toMatchObject({ detail: expect.stringContaining('set another GEMINI_MCP_STORE_PREFIX') });
  });

  it('has lost a record by eviction: it is missing, and can be put again', async () => {
    const prefix = place.newPrefix();
    store = open({ prefix });
    await store.put(record, signal);
    await place.client.del(await place.client.keys(`${prefix}:notes:record:*`));
    expect(await store.get(record, signal)).toBeNull();
    expect(await store.list(record, 10, signal)).toEqual([]);
    await store.put(record, signal);
    expect(await place.client.get(`${prefix}:notes:bytes`)).toBe(String('a topicwhat it says'.length));
  });

  it('has a certificate that is not trusted', async () => {
    const proxy = new FaultyProxy(place.server.path, elsewhereCertificate);
    await proxy.open();
    const said = await say(open({ url: new URL(`rediss://127.0.0.1:${proxy.port}`), patienceMs: 900 }));
    await proxy.close();
    expect(said).toEqual(failed('has a certificate that is not trusted: name its authority in NODE_EXTRA_CA_CERTS'));
  });

  it('leaves nothing of a record once it is deleted', async () => {
    const prefix = place.newPrefix();
    store = open({ prefix });
    await store.put(record, signal);
    await store.delete(record, signal);
    expect(await place.client.keys(`${prefix}:*`)).toEqual([`${prefix}:notes:bytes`]);
    expect(await place.client.get(`${prefix}:notes:bytes`)).toBe('0');
  });
});

it.each([
  ['6.2.0', 'is too old (6.2.0): it must be Valkey 8 or later, or Redis 7.0 or later'],
  ['', 'is too old (older than 7.0)'],
])('refuses a server of version "%s"', async (version, detail) => {
  const server = createServer((socket) => {
    socket.on('data', () => socket.write(`*3\r\n$${version.length}\r\n${version}\r\n$1\r\n1\r\n$1\r\n1\r\n`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const said = await say(open({ url: new URL(`redis://127.0.0.1:${port}`) }));
  server.close();
  expect(said).toEqual(failed(detail));
});

async function scriptsRun(): Promise<number> {
  const stats = await place.client.info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

function versionOf(result: SaveResult): number {
  return result.saved ? result.version : -1;
}

import { randomUUID } from 'node:crypto';
import { FileRecordStore, SystemClock } from '@gemini-mcp/adapters-node';
import { ValkeyRecordStore } from '@gemini-mcp/adapters-valkey';
import { type Session, SessionRecords } from '@gemini-mcp/core';
import { FaultyProxy, RedisServer } from '@gemini-mcp/fake-gemini/redis';
import { type Benchmark, figureBelow } from './benchmark.ts';
import { inTurns, median } from './in-turns.ts';

const conversations = 200;
const turn = { role: 'user', text: 'x'.repeat(10_000), atMs: 0 } as const;

/** Conversations in a Redis of this machine, through a proxy, against the files of the default store. */
export const sharedStore: Benchmark = {
  name: 'shared-store',
  defaultRounds: 100,
  run: async (workbench, rounds) => {
    const redis = new RedisServer();
    const proxy = new FaultyProxy(redis.path);
    workbench.onClose(async () => {
      await proxy.close();
      await redis.dispose();
    });
    await redis.start();
    await proxy.open();
    const clock = new SystemClock();
    const files = new SessionRecords({
      records: new FileRecordStore({ directory: await workbench.makeDirectory(), clock }),
    });
    const records = new ValkeyRecordStore({
      ...{ url: new URL(`redis://127.0.0.1:${proxy.port}`), prefix: 'bench', clock, readPassword: async () => null },
    });
    const shared = new SessionRecords({ records });
    for (let index = 0; index < conversations; index += 1) {
      await Promise.all([files, shared].map((store) => save(store)));
    }
    const taken = await inTurns(rounds, [
      async () => ({ saveFile: await timeOf(() => save(files)), listFile: await timeOf(() => list(files)) }),
      async () => ({ saveShared: await timeOf(() => save(shared)), listShared: await timeOf(() => list(shared)) }),
    ]);
    records.close();
    return [
      {
        what: 'Save of a conversation of 100 KB in a shared store; in a file',
        baseline: median(taken.saveFile),
        ours: median(taken.saveShared),
        target: { words: '≤ 2 ms more', isMet: (ours, baseline) => ours <= baseline + 2 },
      },
      {
        what: `List of ${conversations} conversations there; in files`,
        baseline: median(taken.listFile),
        ours: median(taken.listShared),
        target: figureBelow(10),
      },
    ];
  },
};

const never = new AbortController().signal;

async function save(store: SessionRecords): Promise<void> {
  const session: Session = {
    ...{ id: randomUUID(), owner: 'bench', model: null, workingDirectory: null, systemPrompt: null },
    ...{ createdAtMs: 0, updatedAtMs: 0, turns: Array.from({ length: 10 }, () => turn) },
  };
  const { saved } = await store.save(session, 0, never);
  if (!saved) {
    throw new Error('The conversation was not saved.');
  }
}

async function list(store: SessionRecords): Promise<void> {
  const listed = await store.list('bench', conversations, never);
  if (listed.length !== conversations) {
    throw new Error(`${listed.length} conversations were listed.`);
  }
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

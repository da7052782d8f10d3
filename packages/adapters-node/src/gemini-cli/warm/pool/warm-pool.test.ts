import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AcpProcessScript,
  acpEcho,
  giveAcpSteps,
  readAcpProcesses,
  whenAcpRecorded,
} from '@gemini-mcp/fake-gemini';
import { afterEach, describe, expect, it } from 'vitest';
import { createFakeWarmPlace, type FakeWarmPlace, type FakeWarmPlaceOptions } from '../testing/fake-warm-place.ts';
import type { PoolReport } from './pool-report.ts';

let place: FakeWarmPlace | undefined;

async function create(options: FakeWarmPlaceOptions = {}): Promise<FakeWarmPlace> {
  place = await createFakeWarmPlace(options);
  return place;
}

afterEach(async () => {
  const left = await place?.dispose();
  place = undefined;
  expect(left).toEqual([]);
});

const gated: AcpProcessScript = { prompts: [[{ do: 'given-steps' }]] };

async function askAll({ ask }: FakeWarmPlace, inputs: readonly string[]): Promise<void> {
  for (const input of inputs) {
    expect(await ask({ input })).toMatchObject({ failure: null, text: acpEcho(input) });
  }
}

function countOf({ reports }: FakeWarmPlace, type: PoolReport['type']): number {
  return reports.filter((report) => report.type === type).length;
}

/** In order of time, each process by the number of its start. */
function historyOf({ reports }: FakeWarmPlace): readonly string[] {
  const ids = [...new Set(reports.map(({ processId }) => processId))];
  return reports.map(({ type, processId }) => `${type} ${ids.indexOf(processId)}`);
}

describe('a pool of one kind', () => {
  it('lets a process go on until its successor is ready, and ends it then', async () => {
    const pool = await create({ limits: { maxSessions: 2, hardFactor: 1_000 } });
    await askAll(pool, ['one', 'two', 'three']);
    const ended = await pool.whenReported(({ type }) => type === 'ended');
    expect(ended).toMatchObject({ reason: 'sessions', detail: '' });
    expect(historyOf(pool).slice(0, 5)).toEqual(['started 0', 'ready 0', 'started 1', 'ready 1', 'ended 0']);
    await askAll(pool, ['four']);
  });

  it('replaces a process that holds too much memory', async () => {
    const heavy: AcpProcessScript = { prompts: [[{ do: 'grow', bytes: 300_000_000 }, { do: 'echo' }]] };
    const pool = await create({ processes: [heavy, {}], limits: { maxRssBytes: 250_000_000 } });
    await askAll(pool, ['one']);
    expect(await pool.whenReported(({ type }) => type === 'ended')).toMatchObject({ reason: 'memory', sessions: 1 });
    await askAll(pool, ['two']);
    expect(countOf(pool, 'started')).toBe(2);
  });

  it('does not start processes endlessly if each is over the limit from its first moment', async () => {
    const pool = await create({ limits: { maxRssBytes: 1, spareSessions: 1 } });
    await askAll(pool, ['one', 'two', 'three']);
    await pool.runner.close();
    expect(countOf(pool, 'started')).toBeLessThanOrEqual(4);
  });

  it('goes on with a worn process if no other can start', async () => {
    const pool = await create({
      processes: [{}, { start: [{ do: 'exit', code: 1 }] }],
      limits: { maxSessions: 1, hardFactor: 1_000 },
    });
    await askAll(pool, ['one', 'two', 'three', 'four']);
    await pool.whenReported(({ type }) => type === 'ended');
    expect(new Set(pool.endReasons())).toEqual(new Set(['start-failed']));
    await pool.runner.close();
    // One attempt for each call at most.
    expect(countOf(pool, 'started')).toBeLessThanOrEqual(5);
  });

  it('replaces the only process that it may have when that has nothing to do', async () => {
    const pool = await create({ limits: { maxProcesses: 1, maxSessions: 1 } });
    await askAll(pool, ['one', 'two', 'three', 'four', 'five']);
    expect(new Set(pool.endReasons())).toEqual(new Set(['sessions']));
    // The next is there before anybody calls.
    await pool.whenReported(({ type }) => type === 'ready' && pool.endReasons().length === countOf(pool, 'ready') - 1);
  });

  it('ends a process that had no call for a while', async () => {
    const pool = await create({ limits: { idleMs: 50, spareSessions: 2 } });
    await askAll(pool, ['one']);
    expect(await pool.whenReported(({ type }) => type === 'ended')).toMatchObject({ reason: 'idle' });
    expect(await pool.leftovers()).toEqual([]);
    await askAll(pool, ['two']);
  });

  it('carries a hundred calls at once', async () => {
    const pool = await create({ limits: { maxSessions: 1_000 } });
    const inputs = Array.from({ length: 100 }, (_, index) => `call ${index}`);
    const answers = await Promise.all(inputs.map((input) => pool.ask({ input })));
    expect(answers.map(({ text }) => text)).toEqual(inputs.map(acpEcho));
    expect(countOf(pool, 'started')).toBeLessThanOrEqual(4);
    expect(countOf(pool, 'ended')).toBe(0);
  });

  it('gives no process more calls at once than it may carry', async () => {
    const pool = await create({ processes: [gated], limits: { maxRunsPerProcess: 2, maxProcesses: 2 } });
    const inputs = ['1', '2', '3', '4', '5'];
    const calls = Promise.all(inputs.map((input) => pool.ask({ input })));
    const isBusy: Parameters<typeof whenAcpRecorded>[1] = (all) => all.flatMap(({ prompts }) => prompts).length === 4;
    const processes = await whenAcpRecorded(pool.directory, isBusy);
    expect(processes.map(({ prompts }) => prompts.length)).toEqual([2, 2]);
    const places = [0, 1].flatMap((processNumber) =>
      [0, 1, 2].map((promptNumber) => ({ processNumber, promptNumber })),
    );
    await Promise.all(places.map((at) => giveAcpSteps(pool.directory, at, [{ do: 'echo' }])));
    expect((await calls).map(({ text }) => text)).toEqual(inputs.map(acpEcho));
  });
});

describe('a pool of several kinds', () => {
  it('has a process for each', async () => {
    const pool = await create({ processes: [gated] });
    const calls = Promise.all([pool.ask({ systemPrompt: 'A' }), pool.ask({ systemPrompt: 'B' })]);
    await whenAcpRecorded(pool.directory, (all) => all.filter(({ prompts }) => prompts.length === 1).length === 2);
    for (const processNumber of [0, 1]) {
      await giveAcpSteps(pool.directory, { processNumber, promptNumber: 0 }, [{ do: 'echo' }]);
    }
    expect((await calls).map(({ failure }) => failure)).toEqual([null, null]);
  });

  it('SHARE-02: keeps the process of an owner while another sends calls of ever new kinds', async () => {
    const pool = await create({ limits: { maxProcesses: 3 } });
    expect(await pool.ask({ owner: 'bob' })).toMatchObject({ failure: null });
    for (let kind = 0; kind < 6; kind += 1) {
      expect(await pool.ask({ owner: 'eve', systemPrompt: `kind ${kind}` })).toMatchObject({ failure: null });
    }
    expect(await pool.ask({ owner: 'bob' })).toMatchObject({ failure: null });
    const processes = await readAcpProcesses(pool.directory);
    expect(processes.map(({ prompts }) => prompts.length)).toEqual([2, 1, 1, 1, 1, 1, 1]);
  });

  it('ends the least recently used process at the limit', async () => {
    const pool = await create({ limits: { maxProcesses: 2 } });
    for (const systemPrompt of ['A', 'B', 'A', 'C', 'A']) {
      expect(await pool.ask({ systemPrompt })).toMatchObject({ failure: null });
    }
    expect(historyOf(pool)).toEqual([
      'started 0',
      'ready 0',
      'started 1',
      'ready 1',
      'ended 1',
      'started 2',
      'ready 2',
    ]);
    expect(pool.endReasons()).toEqual(['evicted']);
  });

  it('takes turns with the only process', async () => {
    const pool = await create({ limits: { maxProcesses: 1, spareSessions: 2 } });
    const kinds = ['A', 'B', 'A', 'B'];
    for (const systemPrompt of kinds) {
      expect(await pool.ask({ systemPrompt })).toMatchObject({ failure: null });
    }
    expect(pool.endReasons()).toEqual(['evicted', 'evicted', 'evicted']);
  });

  it('takes turns with the only process where all come at once', async () => {
    const pool = await create({ limits: { maxProcesses: 1 } });
    const kinds = ['A', 'B', 'C', 'A', 'B', 'C'];
    const answers = await Promise.all(kinds.map((systemPrompt) => pool.ask({ systemPrompt })));
    expect(answers.map(({ failure }) => failure)).toEqual(kinds.map(() => null));
  });

  it('waits while all are busy', async () => {
    const pool = await create({ processes: [gated, {}], limits: { maxProcesses: 1 } });
    const first = pool.ask({ systemPrompt: 'A' });
    await whenAcpRecorded(pool.directory, ([process]) => process?.prompts.length === 1);
    const second = pool.ask({ systemPrompt: 'B' });
    await giveAcpSteps(pool.directory, { processNumber: 0, promptNumber: 0 }, [{ do: 'echo' }]);
    expect(await first).toMatchObject({ failure: null });
    expect(await second).toMatchObject({ failure: null });
    expect(historyOf(pool)).toEqual(['started 0', 'ready 0', 'ended 0', 'started 1', 'ready 1']);
  });
});

describe('a start', () => {
  it('that fails is reported to all who wait for it', async () => {
    const pool = await create({ processes: [{ start: [{ do: 'exit', code: 3 }] }] });
    const calls = Array.from({ length: 20 }, () => pool.ask());
    const failures = (await Promise.all(calls)).map(({ failure }) => failure);
    expect(new Set(failures)).toEqual(new Set(['runner-unavailable']));
    expect(countOf(pool, 'started')).toBe(1);
  });

  it('goes on for others when the call that wanted it has gone', async () => {
    const pool = await create({ processes: [{ start: [{ do: 'await-file', file: 'now' }] }] });
    const departure = new AbortController();
    const call = pool.ask({ signal: departure.signal });
    await pool.whenReported(({ type }) => type === 'started');
    departure.abort();
    expect(await call).toMatchObject({ failure: 'cancelled' });
    await writeFile(join(pool.directory, 'now'), '');
    await askAll(pool, ['Again']);
    expect(await readAcpProcesses(pool.directory)).toHaveLength(1);
  });

  it('ahead makes the sessions for the next calls', async () => {
    const pool = await create({ limits: { spareSessions: 2 } });
    await pool.runner.warmUp({ model: 'gemini-2.5-pro' }, new AbortController().signal);
    await whenAcpRecorded(pool.directory, ([process]) => process?.sessions.length === 2);
    await askAll(pool, ['one']);
    const [process] = await readAcpProcesses(pool.directory);
    expect(process?.prompts[0]?.sessionId).toBe(process?.sessions[0]?.id);
  });

  it('ahead may fail without an error', async () => {
    const pool = await create({ processes: [{ start: [{ do: 'exit', code: 3 }] }] });
    await pool.runner.warmUp({ model: 'gemini-2.5-pro' }, new AbortController().signal);
    expect(pool.endReasons()).toEqual(['start-failed']);
  });
});

describe('the end', () => {
  it('comes in the middle of a start', async () => {
    const pool = await create({ processes: [{ initialize: [{ do: 'hang' }] }] });
    const call = pool.ask();
    await pool.whenReported(({ type }) => type === 'started');
    await pool.runner.close();
    expect(await pool.leftovers()).toEqual([]);
    expect(await call).toMatchObject({ failure: 'cancelled' });
    expect(pool.endReasons()).toEqual(['closed']);
  });

  it('comes before a start has begun in earnest', async () => {
    const pool = await create();
    const call = pool.ask();
    await pool.runner.close();
    expect(await call).toMatchObject({ failure: 'cancelled' });
  });

  it('takes calls that are under way with it', async () => {
    const pool = await create({ processes: [{ prompts: [[{ do: 'hang' }]] }] });
    const calls = [pool.ask(), pool.ask(), pool.ask({ systemPrompt: 'B' })];
    await whenAcpRecorded(pool.directory, (all) => all.flatMap(({ prompts }) => prompts).length === 3);
    await Promise.all([pool.runner.close(), pool.runner.close()]);
    expect(await pool.leftovers()).toEqual([]);
    const failures = (await Promise.all(calls)).map(({ failure }) => failure);
    expect(failures).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(pool.endReasons()).toEqual(['closed', 'closed']);
  });

  it('comes while a worn process is being succeeded', async () => {
    const pool = await create({ limits: { maxSessions: 1, spareSessions: 2 } });
    await askAll(pool, ['one']);
    await pool.runner.close();
    expect(await pool.leftovers()).toEqual([]);
  });

  it('comes for a process that does not want to end', async () => {
    const stubborn: AcpProcessScript = { start: [{ do: 'ignore-signals' }], inputEnd: [{ do: 'hang' }] };
    const pool = await create({ processes: [stubborn] });
    await askAll(pool, ['one']);
    await pool.runner.close();
    expect(await pool.leftovers()).toEqual([]);
  });

  it('comes only once, and lets no one in after it', async () => {
    const pool = await create();
    await askAll(pool, ['one']);
    await pool.runner.close();
    await pool.runner.close();
    expect(await pool.ask()).toMatchObject({ failure: 'cancelled' });
    await pool.runner.warmUp({ model: 'gemini-2.5-pro' }, new AbortController().signal);
    expect(countOf(pool, 'started')).toBe(1);
  });
});

import { describe, expect, it } from 'vitest';
import { InMemoryRecordStore } from '../records/in-memory-record-store.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import type { JobEnd, JobTask } from './jobs.ts';
import { KeptJobs } from './kept-jobs.ts';

const { signal } = new AbortController();

/** Servers over one store, one after the other or together. */
class Servers {
  readonly clock = new FakeClock();
  readonly records = new InMemoryRecordStore(this.clock);
  readonly errors: unknown[] = [];
  readonly ended: string[] = [];
  #handles = 0;

  start(isStored = true): KeptJobs<string> {
    return new KeptJobs<string>({
      clock: this.clock,
      createHandle: () => {
        this.#handles += 1;
        return `job${this.#handles}`;
      },
      onError: (error) => this.errors.push(error),
      onEnd: ({ handle, state }) => this.ended.push(`${handle} ${state}`),
      records: isStored ? this.records : null,
      isResult: (value): value is string => typeof value === 'string',
    });
  }
}

const answering: JobTask<string> = async (news) => {
  news.status('Asking pro');
  news.text('Because.');
  return { state: 'succeeded', result: 'Because.' };
};

/** Ends when it is asked to. */
const obedient: JobTask<string> = (news, asked) => {
  news.text('So far');
  return new Promise<JobEnd<string>>((resolve) => {
    asked.addEventListener('abort', () => resolve({ state: 'cancelled', result: 'So far' }), { once: true });
  });
};

describe('KeptJobs', () => {
  it('shows an ended job to its owner, and to no one else, from another process and after a restart', async () => {
    const servers = new Servers();
    const first = servers.start();
    first.start({ owner: 'a', title: 'Why?', task: answering });
    const here = await first.wait({ owner: 'a', handle: 'job1', timeoutMs: 1_000 }, signal);
    await first.close();
    const next = servers.start();
    expect(await next.report('a', 'job1')).toEqual(here);
    expect(await next.wait({ owner: 'a', handle: 'job1', timeoutMs: 1_000 }, signal)).toEqual(here);
    expect(await next.cancel('a', 'job1')).toEqual(here);
    expect(await next.list('a')).toMatchObject([{ handle: 'job1', title: 'Why?', state: 'succeeded' }]);
    expect([await next.report('b', 'job1'), await next.list('b')]).toEqual([null, []]);
    expect([servers.ended, servers.errors]).toEqual([['job1 succeeded'], []]);
  });

  it('lists a job once, the most recently started first', async () => {
    const servers = new Servers();
    const before = servers.start();
    before.start({ owner: 'a', title: 'Before', task: answering });
    await before.close();
    await servers.clock.advance(1_000);
    const jobs = servers.start();
    jobs.start({ owner: 'a', title: 'Now', task: answering });
    await jobs.wait({ owner: 'a', handle: 'job2', timeoutMs: 1_000 }, signal);
    expect((await jobs.list('a')).map(({ title }) => title)).toEqual(['Now', 'Before']);
  });

  it('forgets a job an hour after its end', async () => {
    const servers = new Servers();
    const jobs = servers.start();
    jobs.start({ owner: 'a', title: 'Why?', task: answering });
    await jobs.close();
    await servers.clock.advance(3_600_000);
    expect([await servers.start().report('a', 'job1'), await jobs.report('a', 'job1')]).toEqual([null, null]);
  });

  it('finishes its jobs without their clients, but for those that have to end with them', async () => {
    const servers = new Servers();
    const jobs = servers.start();
    let answer = (_: JobEnd<string>): void => undefined;
    const question = new Promise<JobEnd<string>>((resolve) => {
      answer = resolve;
    });
    jobs.start({ owner: 'a', title: 'Question', task: () => question });
    jobs.start({ owner: 'a', title: 'Change', task: obedient, endsWithClient: true });
    expect(jobs.lasting).toBe(1);
    const outlived = jobs.outliveClients(signal);
    expect(jobs.start({ owner: 'a', title: 'Late', task: answering })).toBeNull();
    await expect.poll(() => servers.ended).toEqual(['job2 cancelled']);
    answer({ state: 'succeeded', result: 'Because.' });
    await outlived;
    expect(await servers.start().report('a', 'job1')).toMatchObject({ state: 'succeeded', result: 'Because.' });
  });

  it('stops waiting for its jobs when it is asked to, and stores the text so far', async () => {
    const servers = new Servers();
    const jobs = servers.start();
    jobs.start({ owner: 'a', title: 'Question', task: obedient });
    const asked = new AbortController();
    const outlived = jobs.outliveClients(asked.signal);
    asked.abort();
    await outlived;
    await jobs.close();
    expect(await servers.start().report('a', 'job1')).toMatchObject({ state: 'cancelled', partialText: 'So far' });
  });

  it('without a store ends all jobs with their clients', async () => {
    const servers = new Servers();
    const jobs = servers.start(false);
    jobs.start({ owner: 'a', title: 'Question', task: obedient });
    expect(jobs.lasting).toBe(0);
    await jobs.outliveClients(signal);
    expect(await jobs.report('a', 'job1')).toMatchObject({ state: 'cancelled' });
    expect(await servers.start(false).report('a', 'job1')).toBeNull();
  });

  it('reports a result that cannot be stored, and keeps it in memory', async () => {
    const servers = new Servers();
    const jobs = servers.start();
    const result = 'x'.repeat(9 * 1_048_576);
    jobs.start({ owner: 'a', title: 'Long', task: async () => ({ state: 'succeeded', result }) });
    await jobs.close();
    expect(String(servers.errors)).toContain('A job is kept in memory only');
    expect((await jobs.report('a', 'job1'))?.result?.length).toBe(result.length);
  });
});

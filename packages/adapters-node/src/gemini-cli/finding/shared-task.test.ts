import { describe, expect, it } from 'vitest';
import { SharedTask } from './shared-task.ts';

/** A task whose turns are ended by the test, or by an abort. */
function createTask() {
  const turns: {
    readonly signal: AbortSignal;
    readonly tell: (news: string) => void;
    readonly end: (result: string) => void;
    readonly fail: () => void;
  }[] = [];
  const ended: string[] = [];
  const task = new SharedTask<string, string>(async (tell, signal) => {
    const turn = `turn ${turns.length}`;
    try {
      return await new Promise<string>((resolve, reject) => {
        turns.push({ signal, tell, end: resolve, fail: () => reject(new Error('failed')) });
        signal.addEventListener('abort', () => resolve('aborted'));
      });
    } finally {
      ended.push(turn);
    }
  });
  return { task, turns, ended };
}

/** As a caller that wants no news. */
function join(task: SharedTask<string, string>, signal: AbortSignal) {
  return task.join(() => undefined, signal);
}

const never = new AbortController().signal;

describe('SharedTask', () => {
  it('is performed once for all callers that join while it is under way, and again for a caller that comes later', async () => {
    const { task, turns } = createTask();
    const results = [join(task, never), join(task, never)];
    turns[0]?.end('found');
    expect(await Promise.all(results)).toEqual(['found', 'found']);
    const later = join(task, never);
    turns[1]?.end('found again');
    expect(await later).toBe('found again');
    expect(turns).toHaveLength(2);
  });

  it('goes on for the others when one goes, also when that one started it', async () => {
    const { task, turns } = createTask();
    const first = new AbortController();
    const results = [join(task, first.signal), join(task, never)];
    first.abort();
    expect(await results[0]).toBeNull();
    expect(turns[0]?.signal.aborted).toBe(false);
    turns[0]?.end('found');
    expect(await results[1]).toBe('found');
    expect(turns).toHaveLength(1);
  });

  it('is aborted when the last one goes, which waits until it has ended', async () => {
    const { task, turns, ended } = createTask();
    const controllers = [new AbortController(), new AbortController()];
    const results = controllers.map(({ signal }) => join(task, signal));
    controllers[0]?.abort();
    await results[0];
    expect(ended).toEqual([]);
    controllers[1]?.abort();
    expect(await results[1]).toBeNull();
    expect(turns[0]?.signal.aborted).toBe(true);
    expect(ended).toEqual(['turn 0']);
  });

  it('is started again for a caller that comes after the last one has gone', async () => {
    const { task, turns } = createTask();
    const controller = new AbortController();
    const gone = join(task, controller.signal);
    controller.abort();
    const next = join(task, never);
    await gone;
    turns.at(-1)?.end('found');
    expect(await next).toBe('found');
  });

  it('is not started for a caller that has gone already', async () => {
    const { task, turns } = createTask();
    expect(await join(task, AbortSignal.abort())).toBeNull();
    expect(turns).toEqual([]);
  });

  it('fails for all callers that wait, and may be tried again', async () => {
    const { task, turns } = createTask();
    const results = [join(task, never), join(task, never)];
    turns[0]?.fail();
    expect(await Promise.allSettled(results)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    const again = join(task, never);
    turns[1]?.end('found');
    expect(await again).toBe('found');
  });

  it('tells its news to each caller that waits, and the latest to one that comes later', async () => {
    const { task, turns } = createTask();
    const heard: string[][] = [[], [], []];
    const leaving = new AbortController();
    const listen = (index: number, signal = never) => task.join((news) => heard[index]?.push(news), signal);
    const results = [listen(0), listen(1, leaving.signal)];
    turns[0]?.tell('one');
    turns[0]?.tell('two');
    leaving.abort();
    await results[1];
    results.push(listen(2));
    turns[0]?.tell('three');
    turns[0]?.end('found');
    await Promise.all(results);
    turns[0]?.tell('four');
    expect(heard).toEqual([
      ['one', 'two', 'three'],
      ['one', 'two'],
      ['two', 'three'],
    ]);
  });
});

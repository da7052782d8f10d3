import { describe, expect, it } from 'vitest';
import { SharedTask } from './shared-task.ts';

/** A task whose turns are ended by the test, or by an abort. */
function createTask() {
  const turns: { readonly signal: AbortSignal; readonly end: (result: string) => void; readonly fail: () => void }[] =
    [];
  const ended: string[] = [];
  const task = new SharedTask<string>(async (signal) => {
    const turn = `turn ${turns.length}`;
    try {
      return await new Promise<string>((resolve, reject) => {
        turns.push({ signal, end: resolve, fail: () => reject(new Error('failed')) });
        signal.addEventListener('abort', () => resolve('aborted'));
      });
    } finally {
      ended.push(turn);
    }
  });
  return { task, turns, ended };
}

const never = new AbortController().signal;

describe('SharedTask', () => {
  it('is performed once for all who join while it is under way, and again for those who come later', async () => {
    const { task, turns } = createTask();
    const results = [task.join(never), task.join(never)];
    turns[0]?.end('found');
    expect(await Promise.all(results)).toEqual(['found', 'found']);
    const later = task.join(never);
    turns[1]?.end('found again');
    expect(await later).toBe('found again');
    expect(turns).toHaveLength(2);
  });

  it('goes on for the others when one goes, also the one for whom it was started', async () => {
    const { task, turns } = createTask();
    const first = new AbortController();
    const results = [task.join(first.signal), task.join(never)];
    first.abort();
    expect(await results[0]).toBeNull();
    expect(turns[0]?.signal.aborted).toBe(false);
    turns[0]?.end('found');
    expect(await results[1]).toBe('found');
    expect(turns).toHaveLength(1);
  });

  it('is aborted when the last one goes, who waits until it has ended', async () => {
    const { task, turns, ended } = createTask();
    const controllers = [new AbortController(), new AbortController()];
    const results = controllers.map(({ signal }) => task.join(signal));
    controllers[0]?.abort();
    await results[0];
    expect(ended).toEqual([]);
    controllers[1]?.abort();
    expect(await results[1]).toBeNull();
    expect(turns[0]?.signal.aborted).toBe(true);
    expect(ended).toEqual(['turn 0']);
  });

  it('is started again for those who come after the last one has gone', async () => {
    const { task, turns } = createTask();
    const controller = new AbortController();
    const gone = task.join(controller.signal);
    controller.abort();
    const next = task.join(never);
    await gone;
    turns.at(-1)?.end('found');
    expect(await next).toBe('found');
  });

  it('is not started for who has gone already', async () => {
    const { task, turns } = createTask();
    expect(await task.join(AbortSignal.abort())).toBeNull();
    expect(turns).toEqual([]);
  });

  it('fails for all who wait, and may be tried again', async () => {
    const { task, turns } = createTask();
    const results = [task.join(never), task.join(never)];
    turns[0]?.fail();
    expect(await Promise.allSettled(results)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    const again = task.join(never);
    turns[1]?.end('found');
    expect(await again).toBe('found');
  });
});

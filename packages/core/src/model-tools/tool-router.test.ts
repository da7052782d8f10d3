import { describe, expect, it } from 'vitest';
import type { ModelTool, ToolCall, ToolProvider } from '../ports/tool-provider.ts';
import { ScriptedToolProvider } from '../testing/scripted-tool-provider.ts';
import { ToolRouter } from './tool-router.ts';

const { signal } = new AbortController();

function tool(name: string, changes = false): ModelTool {
  return { name, description: name, inputSchema: { type: 'object' }, changes };
}

function call(name: string, number = 0): ToolCall {
  return { name, arguments: { number }, deadlineAtMs: 1_000 };
}

describe('ToolRouter', () => {
  it('offers the tools of all sources in order, and of one name the first', async () => {
    const one = new ScriptedToolProvider({ tools: [tool('b'), tool('a')] });
    const other = new ScriptedToolProvider({ tools: [tool('a', true), tool('c')] });
    const router = await ToolRouter.from([one, other], signal);
    expect(router.tools.map(({ name, changes }) => [name, changes])).toEqual([
      ['b', false],
      ['a', false],
      ['c', false],
    ]);
    await router.carryOut([call('a'), call('c')], signal);
    expect([one.calls, other.calls].map((calls) => calls.map(({ name }) => name))).toEqual([['a'], ['c']]);
  });

  it('makes calls concurrently, except calls that may change something, which run one at a time in order', async () => {
    const steps: string[] = [];
    const source = new ScriptedToolProvider({
      tools: [tool('look'), tool('put', true)],
      answer: async ({ name, arguments: { number } }) => {
        steps.push(`${name} ${number} begins`);
        await Promise.resolve();
        await Promise.resolve();
        steps.push(`${name} ${number} ends`);
        return { text: `Did ${number}`, data: {}, isDone: true };
      },
    });
    const router = await ToolRouter.from([source], signal);
    const calls = [call('look', 1), call('look', 2), call('put', 3), call('put', 4), call('look', 5)];
    const results = await router.carryOut(calls, signal);
    expect(results.map(({ result }) => result.text)).toEqual(['Did 1', 'Did 2', 'Did 3', 'Did 4', 'Did 5']);
    expect(steps).toEqual([
      ...['look 1 begins', 'look 2 begins', 'look 1 ends', 'look 2 ends'],
      ...['put 3 begins', 'put 3 ends', 'put 4 begins', 'put 4 ends'],
      ...['look 5 begins', 'look 5 ends'],
    ]);
  });

  it('holds calls that arrive one by one to the same', async () => {
    const steps: string[] = [];
    const ends = new Map<unknown, () => void>();
    const source = new ScriptedToolProvider({
      tools: [tool('look'), tool('put', true)],
      answer: async ({ name, arguments: { number } }) => {
        steps.push(`${name} ${number} begins`);
        await new Promise<void>((resolve) => ends.set(number, resolve));
        steps.push(`${name} ${number} ends`);
        return { text: `Did ${number}`, data: {}, isDone: true };
      },
    });
    const router = await ToolRouter.from([source], signal);
    const end = async (number: number): Promise<void> => {
      ends.get(number)?.();
      await new Promise(setImmediate);
    };
    const calls = [call('look', 1), call('look', 2), call('put', 3), call('look', 4), call('put', 5)];
    const results = Promise.all(calls.map((made) => router.carryOutNext(made, signal)));
    await end(0);
    await end(2);
    await end(1);
    await end(3);
    await end(4);
    await end(5);
    expect((await results).map(({ text }) => text)).toEqual(['Did 1', 'Did 2', 'Did 3', 'Did 4', 'Did 5']);
    expect(steps).toEqual([
      ...['look 1 begins', 'look 2 begins', 'look 2 ends', 'look 1 ends'],
      ...['put 3 begins', 'put 3 ends', 'look 4 begins', 'look 4 ends', 'put 5 begins', 'put 5 ends'],
    ]);
  });

  it('answers a call of an unknown tool with the names of the known ones', async () => {
    const router = await ToolRouter.from([new ScriptedToolProvider({ tools: [tool('a'), tool('b')] })], signal);
    const [answered] = await router.carryOut([call('toString')], signal);
    expect(answered?.result).toMatchObject({
      text: 'Refused: There is no such tool. The tools are: a, b.',
      isDone: false,
    });
  });

  it('answers for a source that breaks its promise and rejects', async () => {
    const source: ToolProvider = {
      list: async () => [tool('a')],
      call: async () => {
        throw new Error('secret');
      },
    };
    const router = await ToolRouter.from([source], signal);
    const results = await router.carryOut([call('a'), call('a')], signal);
    expect(results.map(({ result }) => result.isDone)).toEqual([false, false]);
    expect(JSON.stringify(results)).not.toContain('secret');
  });

  it('begins no call after an abort', async () => {
    const over = new AbortController();
    const source = new ScriptedToolProvider({
      tools: [tool('put', true)],
      answer: () => {
        over.abort();
        return { text: 'Done', data: {}, isDone: true };
      },
    });
    const router = await ToolRouter.from([source], signal);
    const results = await router.carryOut([call('put', 1), call('put', 2)], over.signal);
    expect(results.map(({ result }) => result.isDone)).toEqual([false, false]);
    expect(source.calls).toHaveLength(1);
  });

  it('waits after an abort for no source that goes on', async () => {
    const over = new AbortController();
    const answer = (): Promise<never> => {
      over.abort();
      return new Promise(() => undefined);
    };
    const router = await ToolRouter.from([new ScriptedToolProvider({ tools: [tool('a')], answer })], signal);
    expect(await router.carryOut([call('a')], over.signal)).toMatchObject([{ result: { isDone: false } }]);
  });

  it('begins no other change while one that was cancelled alone still goes on', async () => {
    const cancelled = new AbortController();
    let end: () => void = () => undefined;
    const source = new ScriptedToolProvider({
      tools: [tool('put', true)],
      answer: async ({ arguments: { number } }) => {
        if (number === 1) {
          cancelled.abort();
          await new Promise<void>((resolve) => {
            end = resolve;
          });
        }
        return { text: 'Done', data: {}, isDone: true };
      },
    });
    const router = await ToolRouter.from([source], signal);
    const second = router
      .carryOutNext(call('put', 1), cancelled.signal)
      .then(() => router.carryOutNext(call('put', 2), signal));
    await new Promise(setImmediate);
    expect(source.calls).toHaveLength(1);
    end();
    expect(await second).toMatchObject({ isDone: true });
  });
});

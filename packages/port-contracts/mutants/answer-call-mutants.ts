import type { AnswerStore, Clock } from '@gemini-mcp/core';
import type { AnswerStoreMutant } from './answer-mutant.ts';

const neverAborted = new AbortController().signal;

function shiftedClock(clock: Clock, byMs: number): Clock {
  return { now: () => clock.now() + byMs, sleep: (durationMs, signal) => clock.sleep(durationMs, signal) };
}

function leak(signal: AbortSignal): AbortSignal {
  signal.addEventListener('abort', () => undefined);
  return signal;
}

/** How their calls end. */
export const callMutants: readonly AnswerStoreMutant[] = [
  {
    name: 'one-handle',
    wrong: 'gives the same handle to saves that come at once',
    mutate: (right) => {
      let saving: ReturnType<AnswerStore['save']> | null = null;
      return {
        save: (answer, signal) => {
          saving ??= right.save(answer, signal).finally(() => {
            saving = null;
          });
          return saving;
        },
      };
    },
  },
  {
    name: 'long-handles',
    wrong: 'gives handles in capitals',
    mutate: (right) => ({
      save: async (answer, signal) => {
        const saved = await right.save(answer, signal);
        return saved.saved
          ? { saved: true, answer: { ...saved.answer, handle: saved.answer.handle.toUpperCase() } }
          : saved;
      },
      load: (owner, handle, signal) => right.load(owner, handle.toLowerCase(), signal),
      list: async (owner, limit, signal) =>
        (await right.list(owner, limit, signal)).map((one) => ({ ...one, handle: one.handle.toUpperCase() })),
    }),
  },
  {
    name: 'throws-for-strange-handle',
    wrong: 'rejects for a handle that is none',
    mutate: (right) => ({
      load: async (owner, handle, signal) => {
        if (!/^[a-z0-9]{1,32}$/.test(handle)) {
          throw new Error('no handle');
        }
        return right.load(owner, handle, signal);
      },
    }),
  },
  {
    name: 'own-clock',
    wrong: 'dates answers by a clock of its own',
    changeBounds: ({ clock }) => ({ clock: shiftedClock(clock, 5) }),
  },
  { name: 'forgets-at-the-end', wrong: 'keeps answers as long as the instance lives', forgets: true },
  {
    name: 'ignores-aborted-save',
    wrong: 'saves although the signal is aborted',
    mutate: (right) => ({ save: (answer) => right.save(answer, neverAborted) }),
  },
  {
    name: 'ignores-aborted-load',
    wrong: 'loads although the signal is aborted',
    mutate: (right) => ({ load: (owner, handle) => right.load(owner, handle, neverAborted) }),
  },
  {
    name: 'ignores-aborted-list',
    wrong: 'lists although the signal is aborted',
    mutate: (right) => ({ list: (owner, limit) => right.list(owner, limit, neverAborted) }),
  },
  {
    name: 'saves-before-abort',
    wrong: 'rejects for an aborted signal, but keeps the answer',
    mutate: (right) => ({
      save: async (answer, signal) => {
        const saved = await right.save(answer, neverAborted);
        signal.throwIfAborted();
        return saved;
      },
    }),
  },
  {
    name: 'own-error',
    wrong: "rejects with an error of its own instead of the signal's reason",
    mutate: (right) => ({
      load: (owner, handle, signal) =>
        right.load(owner, handle, signal).catch(() => {
          throw new Error('aborted');
        }),
    }),
  },
  {
    name: 'reason-as-text',
    wrong: "rejects with the text of the signal's reason",
    mutate: (right) => ({
      load: (owner, handle, signal) =>
        right.load(owner, handle, signal).catch((reason) => {
          throw String(reason);
        }),
    }),
  },
  {
    name: 'aborted-is-a-result',
    wrong: 'tells an aborted save as one that failed',
    mutate: (right) => ({
      save: (answer, signal) => right.save(answer, signal).catch(() => ({ saved: false, detail: 'aborted' }) as const),
    }),
  },
  {
    name: 'leaks-listener-of-save',
    wrong: 'leaves a listener on the signal of save()',
    mutate: (right) => ({ save: (answer, signal) => right.save(answer, leak(signal)) }),
  },
  {
    name: 'leaks-listener-of-load',
    wrong: 'leaves a listener on the signal of load()',
    mutate: (right) => ({ load: (owner, handle, signal) => right.load(owner, handle, leak(signal)) }),
  },
  {
    name: 'leaks-listener-of-list',
    wrong: 'leaves a listener on the signal of list()',
    mutate: (right) => ({ list: (owner, limit, signal) => right.list(owner, limit, leak(signal)) }),
  },
  {
    name: 'hangs-on-unknown',
    wrong: 'never settles for a handle that is unknown',
    hangs: true,
    mutate: (right) => ({
      load: async (owner, handle, signal) =>
        (await right.load(owner, handle, signal)) ?? new Promise<never>(() => undefined),
    }),
  },
];

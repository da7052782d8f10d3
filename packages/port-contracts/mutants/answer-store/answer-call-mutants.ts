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

/** Mutants of how calls end. */
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
    name: 'own-clock',
    wrong: 'dates answers by a clock of its own',
    changeBounds: ({ clock }) => ({ clock: shiftedClock(clock, 5) }),
  },
  { name: 'forgets-at-the-end', wrong: 'keeps answers as long as the instance exists', forgets: true },
  {
    name: 'ignores-aborted-list',
    wrong: 'lists although the signal is aborted',
    mutate: (right) => ({ list: (owner, limit) => right.list(owner, limit, neverAborted) }),
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
    wrong: 'reports an aborted save as a failed one',
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
    wrong: 'never settles for an unknown handle',
    hangs: true,
    mutate: (right) => ({
      load: async (owner, handle, signal) =>
        (await right.load(owner, handle, signal)) ?? new Promise<never>(() => undefined),
    }),
  },
];

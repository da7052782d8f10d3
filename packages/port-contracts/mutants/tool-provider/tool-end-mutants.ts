import { neverAborted, type ToolProviderMutant } from './tool-provider-mutant.ts';

/** Mutants of calls that end early. */
export const toolEndMutants: readonly ToolProviderMutant[] = [
  {
    name: 'rejects-aborted-before',
    wrong: 'rejects a call on an aborted signal',
    mutate: (right) => ({
      call: async (call, signal) => {
        signal.throwIfAborted();
        return await right.call(call, signal);
      },
    }),
  },
  {
    name: 'leaves-work',
    wrong: 'answers at an abort, but continues the work',
    hangs: true,
    mutate: (right) => ({
      call: async (call, signal) => {
        if (call.name !== 'wait') {
          return await right.call(call, signal);
        }
        void right.call({ ...call, deadlineAtMs: call.deadlineAtMs + 1e12 }, neverAborted);
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        return { text: 'Failed: cancelled.', data: {}, isDone: false };
      },
    }),
  },
  {
    name: 'wakes-at-once',
    wrong: 'takes the deadline for a duration in the past',
    hangs: true,
    mutate: (right) => ({ call: (call, signal) => right.call({ ...call, deadlineAtMs: 0 }, signal) }),
  },
  {
    name: 'rejects-late',
    wrong: 'rejects a call whose deadline has passed',
    mutate: (right, { now }) => ({
      call: async (call, signal) => {
        const result = await right.call(call, signal);
        if (now() >= call.deadlineAtMs) {
          throw new Error('too late');
        }
        return result;
      },
    }),
  },
  {
    name: 'broken-by-abort',
    wrong: 'refuses all calls after one was aborted',
    mutate: (right) => {
      let broken = false;
      return {
        call: async (call, signal) => {
          if (broken) {
            return { text: 'Refused: broken.', data: {}, isDone: false };
          }
          const result = await right.call(call, signal);
          broken ||= signal.aborted;
          return result;
        },
      };
    },
  },
  {
    name: 'ends-all',
    wrong: 'ends every call when one is aborted',
    hangs: true,
    mutate: (right) => {
      const all = new AbortController();
      return {
        call: (call, signal) => {
          signal.addEventListener('abort', () => all.abort(), { once: true });
          return right.call(call, AbortSignal.any([signal, all.signal]));
        },
      };
    },
  },
];

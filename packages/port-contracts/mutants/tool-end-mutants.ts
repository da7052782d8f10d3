import { neverAborted, type ToolSourceMutant } from './tool-source-mutant.ts';

/** How their calls end before their time. */
export const toolEndMutants: readonly ToolSourceMutant[] = [
  {
    name: 'deaf',
    wrong: 'does not hear an abort',
    hangs: true,
    mutate: (right) => ({ call: (call) => right.call(call, neverAborted) }),
  },
  {
    name: 'rejects-aborted',
    wrong: 'rejects a call that is aborted',
    mutate: (right) => ({
      call: async (call, signal) => {
        const result = await right.call(call, signal);
        signal.throwIfAborted();
        return result;
      },
    }),
  },
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
    wrong: 'answers at an abort, and leaves the work going on',
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
    name: 'no-deadline',
    wrong: 'does not keep the deadline',
    hangs: true,
    mutate: (right) => ({
      call: (call, signal) => right.call({ ...call, deadlineAtMs: call.deadlineAtMs + 1e12 }, signal),
    }),
  },
  {
    name: 'short-deadline',
    wrong: 'ends a call long before its deadline',
    hangs: true,
    mutate: (right, { now }) => ({
      call: (call, signal) => right.call({ ...call, deadlineAtMs: Math.min(call.deadlineAtMs, now() + 5) }, signal),
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
    wrong: 'rejects a call whose deadline is over',
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

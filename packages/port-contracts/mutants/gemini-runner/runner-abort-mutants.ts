import type { RunEvent } from '@gemini-mcp/core';
import { changingEnds, complete, neverAborted, type RunnerMutant } from './runner-mutant.ts';

/** Mutants of aborts, deadlines and the cleanup after them. */
export const runnerAbortMutants: readonly RunnerMutant[] = [
  {
    name: 'ignores-abort',
    wrong: 'goes on after an abort',
    hangs: true,
    mutate: (right) => ({
      run: (request, signal) => right.run(request, signal.aborted ? signal : neverAborted),
    }),
  },
  {
    name: 'abort-as-answer',
    wrong: 'takes the text before an abort for an answer',
    mutate: changingEnds((end, text) => [
      end.type === 'failure' && end.failure.kind === 'cancelled' && text !== '' ? complete : end,
    ]),
  },
  {
    name: 'deadline-as-answer',
    wrong: 'takes the text before the deadline for an answer',
    mutate: changingEnds((end, text) => [
      end.type === 'failure' && end.failure.kind === 'timeout' && text !== '' ? complete : end,
    ]),
  },
  {
    name: 'deadline-of-first-run',
    wrong: 'ends all runs at the deadline of one',
    mutate: (right, clock) => {
      const late = new AbortController();
      return {
        run: async function* run(request, signal) {
          const over = new AbortController();
          const watch = clock.sleep(request.deadlineAtMs - clock.now(), over.signal).then(
            () => late.abort(),
            () => undefined,
          );
          try {
            yield* right.run(request, AbortSignal.any([signal, late.signal]));
          } finally {
            over.abort();
            await watch;
          }
        },
      };
    },
  },
  {
    name: 'leaks-listener-of-left-run',
    wrong: 'leaves its listener on the signal of a run that its reader left',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        const listen = (): void => undefined;
        signal.addEventListener('abort', listen);
        for await (const event of right.run(request, signal)) {
          if (event.type === 'answer' || event.type === 'failure') {
            signal.removeEventListener('abort', listen);
          }
          yield event;
        }
      },
    }),
  },
  {
    name: 'leaks-timer-on-abort',
    wrong: 'leaves a timer running after an abort',
    mutate: (right, clock) => ({
      run: async function* run(request, signal) {
        for await (const event of right.run(request, signal)) {
          if (signal.aborted) {
            clock.sleep(60_000, neverAborted).catch(() => undefined);
          }
          yield event;
        }
      },
    }),
  },
  {
    name: 'reads-to-the-end',
    wrong: 'waits for the end of a run that its reader left',
    hangs: true,
    mutate: (right) => ({
      run: (request, signal) => {
        const events = right.run(request, signal)[Symbol.asyncIterator]();
        const readOn = async (): Promise<IteratorResult<RunEvent>> => {
          const step = await events.next();
          return step.done ? step : readOn();
        };
        return { [Symbol.asyncIterator]: () => ({ next: () => events.next(), return: readOn }) };
      },
    }),
  },
];

import type { RunEvent, RunRequest } from '@gemini-mcp/core';
import { changingEnds, changingFailures, complete, failed, neverAborted, type RunnerMutant } from './runner-mutant.ts';

function laterThan(request: RunRequest): RunRequest {
  return { ...request, deadlineAtMs: request.deadlineAtMs + 86_400_000 };
}

/** What they do when a run is to end, and what they leave. */
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
    name: 'begins-after-abort',
    wrong: 'begins a run whose signal is aborted already',
    mutate: (right) => ({
      run: (request, signal) => right.run(request, signal.aborted ? neverAborted : signal),
    }),
  },
  {
    name: 'sends-after-abort',
    wrong: 'sends the message of a run whose signal is aborted already, and says that it was cancelled',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        if (signal.aborted) {
          await right.run(request, neverAborted)[Symbol.asyncIterator]().next();
        }
        yield* right.run(request, signal);
      },
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
    name: 'abort-as-network',
    wrong: 'calls an abort a connection that broke',
    mutate: changingFailures((failure) =>
      failure.kind === 'cancelled' ? { kind: 'network', excerpt: 'This operation was aborted' } : failure,
    ),
  },
  {
    name: 'abort-as-timeout',
    wrong: 'calls an abort the deadline',
    mutate: changingFailures((failure) => (failure.kind === 'cancelled' ? { kind: 'timeout' } : failure)),
  },
  {
    name: 'throws-on-abort',
    wrong: 'throws the reason of an abort',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        for await (const event of right.run(request, signal)) {
          signal.throwIfAborted();
          yield event;
        }
      },
    }),
  },
  {
    name: 'nothing-on-abort',
    wrong: 'tells no end after an abort',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        for await (const event of right.run(request, signal)) {
          if (signal.aborted) {
            return;
          }
          yield event;
        }
      },
    }),
  },
  {
    name: 'abort-as-empty',
    wrong: 'calls an abort before the first text an empty answer',
    mutate: changingEnds((end, text) =>
      end.type === 'failure' && end.failure.kind === 'cancelled' && text === ''
        ? [failed({ kind: 'empty-answer', excerpt: '' })]
        : [end],
    ),
  },
  {
    name: 'ignores-deadline',
    wrong: 'goes on after the deadline',
    hangs: true,
    mutate: (right) => ({
      run: (request, signal) => right.run(laterThan(request), signal),
    }),
  },
  {
    name: 'begins-after-deadline',
    wrong: 'begins a run whose deadline is over',
    mutate: (right, clock) => ({
      run: (request, signal) => right.run(request.deadlineAtMs <= clock.now() ? laterThan(request) : request, signal),
    }),
  },
  {
    name: 'deadline-as-abort',
    wrong: 'calls the deadline an abort',
    mutate: changingFailures((failure) => (failure.kind === 'timeout' ? { kind: 'cancelled' } : failure)),
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
    wrong: 'ends all that goes on at the deadline of one run',
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
    name: 'aborts-all',
    wrong: 'ends all that goes on when one run is aborted',
    mutate: (right) => {
      let all = new AbortController();
      return {
        run: async function* run(request, signal) {
          const shared = all.signal;
          for await (const event of right.run(request, AbortSignal.any([signal, shared]))) {
            if (event.type === 'failure' && signal.aborted) {
              all.abort();
              all = new AbortController();
            }
            yield event;
          }
        },
      };
    },
  },
  {
    name: 'leaks-listener',
    wrong: 'leaves a listener on the signal',
    mutate: (right) => ({
      run: (request, signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.run(request, signal);
      },
    }),
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
    name: 'leaks-timer',
    wrong: 'leaves the timer of its deadline running',
    mutate: (right, clock) => ({
      run: (request, signal) => {
        clock.sleep(request.deadlineAtMs - clock.now(), neverAborted).catch(() => undefined);
        return right.run(request, signal);
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
    name: 'goes-on-without-reader',
    wrong: 'goes on with a run that its reader left',
    mutate: (right) => ({
      run: (request, signal) => {
        const events = right.run(request, signal)[Symbol.asyncIterator]();
        return { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) };
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

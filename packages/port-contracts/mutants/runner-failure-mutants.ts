import type { FailureKind } from '@gemini-mcp/core';
import { changingFailures, notKnowing, type RunnerMutant } from './runner-mutant.ts';

function changingExcerpts(change: (excerpt: string) => string): RunnerMutant['mutate'] {
  return changingFailures((failure) =>
    'excerpt' in failure ? { ...failure, excerpt: change(failure.excerpt) } : failure,
  );
}

/** Tries once more where a run failed like that before it had said anything. */
function retrying(kinds: readonly FailureKind[]): RunnerMutant['mutate'] {
  return (right) => ({
    run: async function* run(request, signal) {
      let hasText = false;
      for await (const event of right.run(request, signal)) {
        if (event.type === 'failure' && !hasText && kinds.includes(event.failure.kind)) {
          yield* right.run(request, signal);
          return;
        }
        hasText ||= event.type === 'text';
        yield event;
      }
    },
  });
}

/** What they say of what went wrong, and what they do about it. */
export const runnerFailureMutants: readonly RunnerMutant[] = [
  {
    name: 'retries-overloaded',
    wrong: 'tries again by itself where the model is overloaded',
    mutate: retrying(['overloaded']),
  },
  {
    name: 'retries-rate-limit',
    wrong: 'tries again by itself where the quota of a minute is spent',
    mutate: retrying(['rate-limited']),
  },
  {
    name: 'retries-network',
    wrong: 'tries again by itself where the connection breaks',
    mutate: retrying(['network']),
  },
  {
    name: 'retries-empty',
    wrong: 'tries again by itself where the answer is empty',
    mutate: retrying(['empty-answer']),
  },
  { name: 'unknown-key', wrong: 'does not know a login that is refused', mutate: notKnowing('authentication') },
  { name: 'unknown-model', wrong: 'does not know a model that is not there', mutate: notKnowing('model-not-found') },
  { name: 'unknown-network', wrong: 'does not know a connection that breaks', mutate: notKnowing('network') },
  { name: 'unknown-overload', wrong: 'does not know an overloaded model', mutate: notKnowing('overloaded') },
  {
    name: 'missing-login',
    wrong: 'calls a login that is refused one that is missing',
    mutate: changingFailures((failure) =>
      failure.kind === 'authentication' ? { ...failure, problem: 'missing' } : failure,
    ),
  },
  {
    name: 'day-as-minute',
    wrong: 'takes the quota of a day for that of a minute',
    mutate: changingFailures((failure) =>
      failure.kind === 'quota-exhausted'
        ? { kind: 'rate-limited', retryAfterMs: 41_000, excerpt: failure.excerpt }
        : failure,
    ),
  },
  {
    name: 'minute-as-day',
    wrong: 'takes the quota of a minute for that of a day',
    mutate: changingFailures((failure) =>
      failure.kind === 'rate-limited' ? { kind: 'quota-exhausted', excerpt: failure.excerpt } : failure,
    ),
  },
  {
    name: 'no-retry-time',
    wrong: 'loses the time after which to try again',
    mutate: changingFailures((failure) =>
      failure.kind === 'rate-limited' ? { ...failure, retryAfterMs: null } : failure,
    ),
  },
  {
    name: 'retry-time-in-seconds',
    wrong: 'tells the time after which to try again in seconds',
    mutate: changingFailures((failure) =>
      failure.kind === 'rate-limited' ? { ...failure, retryAfterMs: (failure.retryAfterMs ?? 0) / 1_000 } : failure,
    ),
  },
  {
    name: 'no-status',
    wrong: 'loses the status of an internal error',
    mutate: changingFailures((failure) =>
      failure.kind === 'server-error' ? { ...failure, httpStatus: null } : failure,
    ),
  },
  {
    name: 'overload-as-server-error',
    wrong: 'calls an overloaded model an internal error',
    mutate: changingFailures((failure) =>
      failure.kind === 'overloaded' ? { kind: 'server-error', httpStatus: 503, excerpt: failure.excerpt } : failure,
    ),
  },
  { name: 'no-excerpt', wrong: 'does not say what was said', mutate: changingExcerpts(() => '') },
  {
    name: 'own-words',
    wrong: 'says something of its own in place of what was said',
    mutate: changingExcerpts(() => 'The request failed.'),
  },
  {
    name: 'long-excerpt',
    wrong: 'tells all that was said, however long it is',
    mutate: changingExcerpts((excerpt) => (excerpt.length < 500 ? excerpt : excerpt.repeat(10))),
  },
  {
    name: 'tells-key',
    wrong: 'tells the key of the call with what was said',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        const key = request.settings?.apiKey ?? '';
        for await (const event of right.run(request, signal)) {
          yield event.type === 'failure' && 'excerpt' in event.failure
            ? {
                type: 'failure',
                failure: { ...event.failure, excerpt: event.failure.excerpt.replace('[redacted]', key) },
              }
            : event;
        }
      },
    }),
  },
  {
    name: 'tells-key-in-detail',
    wrong: 'tells how it asked, with the key of the call',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        for await (const event of right.run(request, signal)) {
          yield event.type === 'failure' && event.failure.kind === 'network'
            ? { ...event, failure: { ...event.failure, excerpt: `POST /?key=${request.settings?.apiKey}` } }
            : event;
        }
      },
    }),
  },
  {
    name: 'tells-stack',
    wrong: 'tells where in a program a connection broke',
    mutate: changingFailures((failure) =>
      failure.kind === 'network'
        ? { ...failure, excerpt: 'TypeError: terminated\n    at Fetch.onAborted (node:internal/deps/undici:11190:53)' }
        : failure,
    ),
  },
];

import { isEnd, neverAborted, notKnowing, type RunnerMutant } from './runner-mutant.ts';

/** What they make of a crash. */
export const runnerCrashMutants: readonly RunnerMutant[] = [
  {
    name: 'retries-after-crash',
    wrong: 'tells an answer again from its beginning where what carried it crashed',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        for await (const event of right.run(request, signal)) {
          if (event.type === 'failure' && event.failure.kind === 'crashed') {
            yield* right.run({ ...request, deadlineAtMs: 0 }, neverAborted);
            return;
          }
          yield event;
        }
      },
    }),
  },
  {
    name: 'crash-as-answer',
    wrong: 'takes the text before a crash for an answer',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        for await (const event of right.run(request, signal)) {
          const isCrash = isEnd(event) && event.type === 'failure' && event.failure.kind === 'crashed';
          yield isCrash ? { type: 'answer', ending: null } : event;
        }
      },
    }),
  },
  { name: 'unknown-crash', wrong: 'does not know a crash', mutate: notKnowing('crashed') },
];

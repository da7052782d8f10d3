import { changingFailures, declaring, failed, type RunnerMutant } from './runner-mutant.ts';

/** What they take that they do not declare, and how they refuse. */
export const runnerFeatureMutants: readonly RunnerMutant[] = [
  {
    name: 'needs-no-key',
    wrong: 'declares that it needs the key of a call, and carries a request without one',
    mutate: declaring(() => ({ needsKeyOfCall: true })),
  },
  {
    name: 'tells-undeclared-usage',
    wrong: 'tells what a run used without declaring it',
    mutate: declaring(() => ({ usage: false })),
  },
  {
    name: 'refuses-declared-history',
    wrong: 'refuses a conversation, and declares that it takes one',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        yield* (request.history ?? []).length > 0
          ? [failed({ kind: 'unsupported', feature: 'history' })]
          : right.run(request, signal);
      },
    }),
  },
  {
    name: 'refuses-as-invalid-input',
    wrong: 'calls what it does not support invalid input',
    mutate: changingFailures((failure) =>
      failure.kind === 'unsupported' ? { kind: 'invalid-input', excerpt: failure.feature } : failure,
    ),
  },
];

import { changingFailures, declaring, failed, type RunnerMutant } from './runner-mutant.ts';

/** Mutants of undeclared features. */
export const runnerFeatureMutants: readonly RunnerMutant[] = [
  {
    name: 'needs-no-key',
    wrong: 'declares that it needs the key of a call, and accepts a request without one',
    mutate: declaring(() => ({ needsKeyOfCall: true })),
  },
  {
    name: 'reports-undeclared-usage',
    wrong: 'reports usage without declaring it',
    mutate: declaring(() => ({ usage: false })),
  },
  {
    name: 'refuses-declared-history',
    wrong: 'refuses a conversation although it declares the feature',
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
    wrong: 'reports an unsupported request as invalid input',
    mutate: changingFailures((failure) =>
      failure.kind === 'unsupported' ? { kind: 'invalid-input', excerpt: failure.feature } : failure,
    ),
  },
];

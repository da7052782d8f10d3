import { changingFailures, type RunnerMutant } from './runner-mutant.ts';

/** Mutants of failures. */
export const runnerFailureMutants: readonly RunnerMutant[] = [
  {
    name: 'no-status',
    wrong: 'loses the status of an internal error',
    mutate: changingFailures((failure) =>
      failure.kind === 'server-error' ? { ...failure, httpStatus: null } : failure,
    ),
  },
  {
    name: 'reveals-stack',
    wrong: 'reports where in a program a connection broke',
    mutate: changingFailures((failure) =>
      failure.kind === 'network'
        ? { ...failure, excerpt: 'TypeError: terminated\n    at Fetch.onAborted (node:internal/deps/undici:11190:53)' }
        : failure,
    ),
  },
];

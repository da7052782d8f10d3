import type { ExecutorMutant } from './executor-mutant.ts';

/** Executors that open a run where they must not. */
export const executorOpeningMutants: readonly ExecutorMutant[] = [
  {
    name: 'open-in-root',
    wrong: 'works in the root where there is no working directory',
    mutate: (right) => ({
      open: async (options, signal) => {
        const opened = await right.open(options, signal);
        const [root = ''] = options.roots;
        return opened.ok ? opened : right.open({ ...options, workingDirectory: root }, signal);
      },
    }),
  },
];

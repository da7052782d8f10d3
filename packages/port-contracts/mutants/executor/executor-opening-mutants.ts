import type { ExecutorMutant } from './executor-mutant.ts';

/** Executors that open a run although they must refuse. */
export const executorOpeningMutants: readonly ExecutorMutant[] = [
  {
    name: 'open-in-root',
    wrong: 'works in the root if the working directory is missing',
    mutate: (right) => ({
      open: async (options, signal) => {
        const opened = await right.open(options, signal);
        const [root = ''] = options.roots;
        return opened.ok ? opened : right.open({ ...options, workingDirectory: root }, signal);
      },
    }),
  },
];

import type { FileChange, RunChanges } from '@gemini-mcp/core';
import type { ExecutorMutant } from './executor-mutant.ts';

type Retelling = NonNullable<ExecutorMutant['mutateWorkspace']>;

/** Changes the report of what a run changed. */
function telling(retell: (files: readonly FileChange[]) => readonly FileChange[]): Retelling {
  return (right) => ({
    changes: async (signal): Promise<RunChanges> => {
      const changes = await right.changes(signal);
      return { ...changes, files: retell(changes.files) };
    },
  });
}

/** Executors that report other changes than the run made. */
export const executorChangesMutants: readonly ExecutorMutant[] = [
  {
    name: 'changes-without-diff',
    wrong: 'lists changes without their kind',
    mutateWorkspace: telling((files) => files.map((file) => ({ ...file, diff: '' }))),
  },
  {
    name: 'changes-none',
    wrong: 'reports no change',
    mutateWorkspace: telling(() => []),
  },
];

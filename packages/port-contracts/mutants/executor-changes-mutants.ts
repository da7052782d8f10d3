import type { FileChange, RunChanges } from '@gemini-mcp/core';
import type { ExecutorMutant } from './executor-mutant.ts';

type Retelling = NonNullable<ExecutorMutant['mutateWorkspace']>;

/** Tells something else of what a run changed. */
function telling(retell: (files: readonly FileChange[]) => readonly FileChange[]): Retelling {
  return (right) => ({
    changes: async (signal): Promise<RunChanges> => {
      const changes = await right.changes(signal);
      return { ...changes, files: retell(changes.files) };
    },
  });
}

/** Executors that tell something else of a run than what it changed. */
export const executorChangesMutants: readonly ExecutorMutant[] = [
  {
    name: 'changes-without-diff',
    wrong: 'lists changes without what they are',
    mutateWorkspace: telling((files) => files.map((file) => ({ ...file, diff: '' }))),
  },
  {
    name: 'changes-none',
    wrong: 'tells of no change',
    mutateWorkspace: telling(() => []),
  },
];

import type { FileChange, RunChanges, Workspace } from '@gemini-mcp/core';
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

/** Puts together the changes of all steps in the place of what they come to. */
function ofSteps(choose: (steps: readonly FileChange[]) => readonly FileChange[]): Retelling {
  return (right): Partial<Workspace> => {
    const steps: FileChange[] = [];
    return {
      putFile: async (request, signal) => {
        const result = await right.putFile(request, signal);
        if (result.ok) {
          const { path, kind, diff, addedLines, removedLines } = result.value;
          steps.push({ path, kind, diff, addedLines, removedLines });
        }
        return result;
      },
      changes: async (signal) => {
        const changes = await right.changes(signal);
        return { ...changes, files: choose(steps).toSorted((one, other) => (one.path < other.path ? -1 : 1)) };
      },
    };
  };
}

function lastOfEach(steps: readonly FileChange[]): readonly FileChange[] {
  return [...new Map(steps.map((step) => [step.path, step])).values()];
}

/** Executors that tell something else of a run than what it changed. */
export const executorChangesMutants: readonly ExecutorMutant[] = [
  {
    name: 'changes-of-steps',
    wrong: 'lists a path once for each step',
    mutateWorkspace: ofSteps((steps) => steps),
  },
  {
    name: 'changes-of-last-step',
    wrong: 'shows what the last step changed in place of what the run did',
    mutateWorkspace: ofSteps(lastOfEach),
  },
  {
    name: 'changes-unordered',
    wrong: 'lists changes in another order than that of their paths',
    mutateWorkspace: telling((files) => [...files].reverse()),
  },
  {
    name: 'changes-created',
    wrong: 'says modified of what was created',
    mutateWorkspace: telling((files) => files.map((file) => ({ ...file, kind: 'modified' }))),
  },
  {
    name: 'changes-counts',
    wrong: 'counts added and removed lines the other way round',
    mutateWorkspace: telling((files) =>
      files.map((file) => ({ ...file, addedLines: file.removedLines, removedLines: file.addedLines })),
    ),
  },
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

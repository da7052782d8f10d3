import type { Executor, UndonePath, UndoReport, Workspace } from '@gemini-mcp/core';
import type { FakeExecutor } from '@gemini-mcp/core/testing';
import type { ExecutorMutant } from './executor-mutant.ts';

/** Changes the report of each path; null leaves it out. */
function telling(retell: (one: UndonePath) => UndonePath | null): (right: FakeExecutor) => Partial<Executor> {
  return (right) => ({
    undo: async (request, signal) => {
      const report = await right.undo(request, signal);
      return report.found ? { found: true, paths: report.paths.flatMap((one) => retell(one) ?? []) } : report;
    },
  });
}

/** Executors that undo the wrong run, at the wrong time, or report it wrongly. */
export const executorUndoReportMutants: readonly ExecutorMutant[] = [
  {
    name: 'undo-leaves-out-unchanged',
    wrong: 'leaves out paths that are already as before',
    mutate: telling((one) => (one.outcome === 'already-as-before' ? null : one)),
  },
  {
    name: 'undo-calls-refused-done',
    wrong: 'reports a refused path as restored',
    mutate: telling((one) => (one.outcome === 'refused' ? { ...one, outcome: 'restored', reason: '' } : one)),
  },
  {
    name: 'undo-calls-removed-restored',
    wrong: 'reports a removed path as restored',
    mutate: telling((one) => (one.outcome === 'removed' ? { ...one, outcome: 'restored' } : one)),
  },
  {
    name: 'undo-talks',
    wrong: 'gives reasons for what succeeds',
    mutate: telling((one) => ({ ...one, reason: 'The run changed it.' })),
  },
  { name: 'undo-all-or-nothing', wrong: 'undoes nothing if one path is refused', mutate: allOrNothing },
  { name: 'undo-going-on', wrong: 'undoes a run that goes on', ...whileGoingOn() },
  {
    name: 'undo-rejects',
    wrong: 'rejects after an abort',
    mutate: (right) => ({
      undo: async (request, signal) => {
        signal.throwIfAborted();
        return right.undo(request, signal);
      },
    }),
  },
  {
    name: 'undo-hangs-for-unknown',
    wrong: 'never settles for an unknown run',
    hangs: true,
    mutate: (right) => ({
      undo: async (request, signal) => {
        const report = await right.undo(request, signal);
        return report.found ? report : new Promise<UndoReport>(() => undefined);
      },
    }),
  },
];

function allOrNothing(right: FakeExecutor): Partial<Executor> {
  return {
    undo: async (request, signal) => {
      const before = right.files.snapshot();
      const report = await right.undo(request, signal);
      if (!report.found || report.paths.every(({ outcome }) => outcome !== 'refused')) {
        return report;
      }
      for (const { path } of report.paths) {
        const content = before.get(right.files.resolve(path));
        if (content !== undefined) {
          right.files.write(path, content);
        }
      }
      return report;
    },
  };
}

function whileGoingOn(): Pick<ExecutorMutant, 'mutate' | 'mutateWorkspace'> {
  const open = new Map<string, Workspace>();
  return {
    mutateWorkspace: (right, { runId }) => {
      open.set(runId, right);
      return {};
    },
    mutate: (right) => ({
      undo: async (request, signal) => {
        await open.get(request.runId)?.close();
        return right.undo(request, signal);
      },
    }),
  };
}

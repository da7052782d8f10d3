import type { Executor, UndonePath } from '@gemini-mcp/core';
import type { FakeExecutor } from '@gemini-mcp/core/testing';
import type { ExecutorMutant } from './executor-mutant.ts';

type Contents = ReadonlyMap<string, Uint8Array>;

type Undone = {
  readonly right: FakeExecutor;
  /** The files before the run, and the time shortly before the undo. */
  readonly before: Contents;
  readonly between: Contents;
  readonly one: UndonePath;
  /** Absolute. */
  readonly place: string;
};

/** Does something to each path of a report once the right executor has undone the run. */
function after(spoil: (undone: Undone) => void): (right: FakeExecutor) => Partial<Executor> {
  return (right) => {
    const atOpening = new Map<string, Contents>();
    return {
      open: async (options, signal) => {
        atOpening.set(options.runId, right.files.snapshot());
        return right.open(options, signal);
      },
      undo: async (request, signal) => {
        const between = right.files.snapshot();
        const report = await right.undo(request, signal);
        const before = atOpening.get(request.runId) ?? between;
        for (const one of report.found ? report.paths : []) {
          spoil({ right, before, between, one, place: right.files.resolve(one.path) });
        }
        return report;
      },
    };
  };
}

function put({ right, place }: Undone, content: Uint8Array | undefined): void {
  if (content === undefined) {
    right.files.remove(place);
  } else {
    right.files.write(place, content);
  }
}

/** Executors that restore the wrong content, or more than they may. */
export const executorUndoMutants: readonly ExecutorMutant[] = [
  {
    name: 'undo-makes-again',
    wrong: 'restores a file that the user removed',
    mutate: after((undone) => {
      if (undone.one.outcome === 'refused' && !undone.between.has(undone.place)) {
        put(undone, undone.before.get(undone.place));
      }
    }),
  },
  {
    name: 'undo-follows-renames',
    wrong: 'removes a file because the run left its content elsewhere',
    mutate: after(({ right, one }) => {
      for (const path of one.outcome === 'refused' ? right.files.all() : []) {
        if (right.files.readText(path) === 'changed' && !path.endsWith(one.path)) {
          right.files.remove(path);
        }
      }
    }),
  },
];

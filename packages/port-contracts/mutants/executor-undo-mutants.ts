import type { Executor, UndonePath, UndoReport, Workspace } from '@gemini-mcp/core';
import type { FakeExecutor } from '@gemini-mcp/core/testing';
import type { ExecutorMutant } from './executor-mutant.ts';

type Contents = ReadonlyMap<string, Uint8Array>;

type Undone = {
  readonly right: FakeExecutor;
  /** The files before the run, and when it was about to be undone. */
  readonly before: Contents;
  readonly between: Contents;
  readonly one: UndonePath;
  /** Absolute. */
  readonly place: string;
};

/** Does something more with each path of a report, once the right executor has undone the run. */
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

function textAt({ right, place }: Undone): string {
  return right.files.readText(place) ?? '';
}

/** Executors that put something else back than what was there, or more than they may. */
export const executorUndoMutants: readonly ExecutorMutant[] = [
  {
    name: 'undo-does-nothing',
    wrong: 'reports an undo and does not make it',
    mutate: after((undone) => put(undone, undone.between.get(undone.place))),
  },
  {
    name: 'undo-overwrites',
    wrong: 'puts back what was changed since as well',
    mutate: after((undone) => undone.one.outcome === 'refused' && put(undone, undone.before.get(undone.place))),
  },
  {
    name: 'undo-overwrites-edits',
    wrong: 'puts back a file that its user edited, and removes none',
    mutate: after((undone) => {
      const content = undone.before.get(undone.place);
      if (undone.one.outcome === 'refused' && undone.between.has(undone.place) && content !== undefined) {
        put(undone, content);
      }
    }),
  },
  {
    name: 'undo-removes-edited',
    wrong: 'removes a file that the run made and its user edited',
    mutate: after((undone) => {
      if (undone.one.outcome === 'refused' && !undone.before.has(undone.place)) {
        undone.right.files.remove(undone.place);
      }
    }),
  },
  {
    name: 'undo-makes-again',
    wrong: 'makes a file again that its user removed',
    mutate: after((undone) => {
      if (undone.one.outcome === 'refused' && !undone.between.has(undone.place)) {
        put(undone, undone.before.get(undone.place));
      }
    }),
  },
  {
    name: 'undo-empties',
    wrong: 'empties a file that the run made, and leaves it there',
    mutate: after((undone) => undone.one.outcome === 'removed' && undone.right.files.write(undone.place, '')),
  },
  {
    name: 'undo-clears-directory',
    wrong: 'removes everything next to a file that the run made',
    mutate: after(({ right, one, place }) => {
      const directory = place.replace(/[^/]*$/, '');
      for (const path of one.outcome === 'removed' ? right.files.all() : []) {
        if (path.startsWith(directory)) {
          right.files.remove(path);
        }
      }
    }),
  },
  {
    name: 'undo-line-ends',
    wrong: 'puts text back with other line ends',
    mutate: after((undone) => {
      if (undone.one.outcome === 'restored') {
        undone.right.files.write(undone.place, textAt(undone).replaceAll('\r\n', '\n'));
      }
    }),
  },
  {
    name: 'undo-byte-order-mark',
    wrong: 'puts text back without its byte order mark',
    mutate: after((undone) => {
      if (undone.one.outcome === 'restored') {
        undone.right.files.write(undone.place, textAt(undone).replace(/^\uFEFF/, ''));
      }
    }),
  },
  {
    name: 'undo-last-line-end',
    wrong: 'ends what it puts back with a line end',
    mutate: after((undone) => {
      if (undone.one.outcome === 'restored') {
        undone.right.files.write(undone.place, textAt(undone).replace(/\n?$/, '\n'));
      }
    }),
  },
  {
    name: 'undo-follows-renames',
    wrong: 'removes a file that has the content which the run left elsewhere',
    mutate: after(({ right, one }) => {
      for (const path of one.outcome === 'refused' ? right.files.all() : []) {
        if (right.files.readText(path) === 'changed' && !path.endsWith(one.path)) {
          right.files.remove(path);
        }
      }
    }),
  },
  { name: 'undo-last-step', wrong: 'undoes the last change of each file alone', ...lastStepAlone() },
  {
    name: 'undo-first-wins',
    wrong: 'makes a file that was changed twice what it was after the first change',
    mutate: after((undone) => {
      if (undone.one.outcome === 'restored' && textAt(undone).length > 10) {
        undone.right.files.write(undone.place, 'first');
      }
    }),
  },
];

function lastStepAlone(): Pick<ExecutorMutant, 'mutate' | 'mutateWorkspace'> {
  const beforeLast = new Map<string, Uint8Array | null>();
  return {
    mutateWorkspace: (right, _, { files }): Partial<Workspace> => ({
      putFile: (request, signal) => {
        beforeLast.set(files.resolve(request.path), files.read(request.path));
        return right.putFile(request, signal);
      },
    }),
    mutate: (right) => ({
      undo: async (request, signal): Promise<UndoReport> => {
        const report = await right.undo(request, signal);
        const restored = report.found ? report.paths.filter(({ outcome }) => outcome === 'restored') : [];
        for (const { path } of restored) {
          right.files.write(path, beforeLast.get(right.files.resolve(path)) ?? '');
        }
        return report;
      },
    }),
  };
}

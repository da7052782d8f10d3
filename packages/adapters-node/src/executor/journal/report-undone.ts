import type { UndonePath, UndoReport } from '@gemini-mcp/core';
import { displayPathOf } from './display-path-of.ts';
import type { OpenedJournal } from './opened-journal.ts';
import type { PathAccount } from './run-account.ts';
import type { UndoneRun } from './undo-run.ts';

/** What of a run is to be undone. */
export type AskedPaths = {
  /** As they were named; of everything where nothing was. */
  readonly names: readonly string[];
  readonly realPaths: ReadonlySet<string>;
  /** Names of what the run did not change. */
  readonly unknown: readonly string[];
  readonly isEverything: boolean;
};

/** Finds the paths that are meant by names. */
export function readAsked({ account, run }: OpenedJournal, paths: readonly string[] | undefined): AskedPaths {
  const named = new Map(account.paths.map(({ path }) => [displayPathOf(path, run.workingDirectory), path]));
  if (paths === undefined) {
    const names = account.paths.filter(isOfFile).map(({ path }) => displayPathOf(path, run.workingDirectory));
    return { names, realPaths: new Set(named.values()), unknown: [], isEverything: true };
  }
  const names = [...new Set(paths)];
  const realPaths = names.flatMap((name) => named.get(name) ?? []);
  const unknown = names.filter((name) => !named.has(name));
  return { names, realPaths: new Set(realPaths), unknown, isEverything: false };
}

export function refuseAll({ names }: AskedPaths, reason: string): UndoReport {
  return { found: true, paths: names.map((path) => refuse(path, reason)).sort(byPath) };
}

/** By path. Directories are named only where one was refused. */
export function reportUndone(journal: OpenedJournal, asked: AskedPaths, undone: UndoneRun): UndoReport {
  const { account, run } = journal;
  const done = account.paths.flatMap((one): UndonePath[] => {
    const outcome = undone.get(one.path);
    const isShown = outcome?.outcome === 'refused' || isOfFile(one);
    return outcome === undefined || !isShown
      ? []
      : [{ path: displayPathOf(one.path, run.workingDirectory), ...outcome }];
  });
  const unknown = asked.unknown.map((path) => refuse(path, 'The run did not change it.'));
  const gaps = asked.isEverything ? unknownChanges(journal).map((reason) => refuse('.', reason)) : [];
  return { found: true, paths: [...gaps, ...unknown, ...done].sort(byPath) };
}

/** Why something that the run did may not be known: sentences. */
function unknownChanges({ account }: OpenedJournal): readonly string[] {
  return [...(account.uncovered === null ? [] : [account.uncovered]), ...(account.isCommandRunning ? [cutShort] : [])];
}

const cutShort =
  'The server ended in the middle of a command: what that command changed is not known, and was not put back.';

function isOfFile({ first, last }: PathAccount): boolean {
  return ![first, last].every(({ kind }) => kind === 'directory' || kind === 'absent') || first.kind === last.kind;
}

function refuse(path: string, reason: string): UndonePath {
  return { path, outcome: 'refused', reason };
}

function byPath(one: UndonePath, other: UndonePath): number {
  if (one.path === other.path) {
    return 0;
  }
  return one.path < other.path ? -1 : 1;
}

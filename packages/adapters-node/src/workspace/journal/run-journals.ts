import { lstat, mkdir, open, readdir, readFile, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock, RecordBounds, UndonePath, UndoReport, UndoRequest } from '@gemini-mcp/core';
import { ownerDirectoryName } from '../../disk/durable/owner-directory.ts';
import { OwnerTurns } from '../../disk/durable/owner-turns.ts';
import { type Quarantined, quarantine } from '../../disk/durable/quarantine.ts';
import { createTag, seemsAlive } from '../../disk/durable/record-names.ts';
import { ensurePrivateDirectory } from '../../disk/private-directory.ts';
import { RealRoots } from '../../disk/real-roots.ts';
import { TimeSlices } from '../../disk/time-slices.ts';
import { errorCode } from '../../processes/error-code.ts';
import { describeShortage } from '../../processes/system-shortage.ts';
import { isLeftTemporaryName } from '../temporary-name.ts';
import { describeSystemError } from './describe-system-error.ts';
import { displayPathOf } from './display-path-of.ts';
import { JournalRoom } from './journal-room.ts';
import { openParent } from './open-parent.ts';
import { type OpenedJournal, openJournal } from './opened-journal.ts';
import type { PathAccount, RunAccount } from './run-account.ts';
import { RunJournal, type RunJournalLimits, runJournalLimits } from './run-journal.ts';
import { scanTree } from './tree/scan-tree.ts';
import { type UndoneRun, undoRun } from './undo-run.ts';

export type RunJournalsOptions = {
  /** Private to this user, created when needed. Several processes may share it. */
  readonly stateDirectory: string;
  readonly clock: Clock;
  /** Undo restores and removes nothing in them, even inside a root. */
  readonly privateDirectories: readonly string[];
  /** How long a run can be undone: 7 days by default. */
  readonly retentionMs?: number;
  readonly bounds?: RecordBounds;
  readonly limits?: RunJournalLimits;
  /** Called for the log with each damaged journal that was moved aside. */
  readonly onQuarantine?: (quarantined: Quarantined) => void;
};

export type RunToKeep = {
  readonly runId: string;
  readonly owner: string;
  readonly workingDirectory: string;
  readonly roots: readonly string[];
};

const defaultBounds: RecordBounds = {
  maxRecordsOfOwner: 200,
  maxBytesOfOwner: 1_073_741_824,
  maxBytes: 4_294_967_296,
};

const runIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** The journals of all runs, below `journals/` in the state directory, and their undo. */
export class RunJournals {
  readonly #options: RunJournalsOptions;
  readonly #directory: string;
  readonly #room: JournalRoom;
  readonly #turns = new OwnerTurns();
  /** The directories of this process's runs in progress. */
  readonly #open = new Set<string>();
  /** The directories of its ended runs whose journals do not record the end, because they could not be written. */
  readonly #ended = new Set<string>();

  constructor(options: RunJournalsOptions) {
    this.#options = options;
    this.#directory = join(options.stateDirectory, 'journals');
    this.#room = new JournalRoom({
      directory: this.#directory,
      clock: options.clock,
      bounds: options.bounds ?? defaultBounds,
      retentionMs: options.retentionMs ?? 7 * 24 * 3_600_000,
      isInUse: (directory) => this.#isInUse(directory),
    });
  }

  /** Begins the journal of a run. Rejects, with words for a user, if it cannot be kept or such a run exists. */
  async create({ runId, owner, workingDirectory, roots }: RunToKeep): Promise<SavedRun> {
    if (!runIdPattern.test(runId)) {
      throw new Error('The name of the run is not valid for a journal.');
    }
    try {
      await this.#openDirectory();
      const directory = this.#pathOf(owner, runId);
      await ensurePrivateDirectory(join(directory, '..'));
      const run = { runId, owner, workingDirectory, roots, tag: createTag(), startedAtMs: this.#options.clock.now() };
      const journal = await RunJournal.create({ directory, run, limits: this.#limits });
      this.#open.add(directory);
      await this.#room.makeFor(ownerDirectoryName(owner), runId);
      return { journal, directory, end: () => this.#end(journal, owner, runId) };
    } catch (error) {
      const reason = describeShortage(error) ?? `${describeSystemError(error)}.`;
      throw new Error(
        `The run could not be undone, because the state directory (GEMINI_MCP_STATE_DIR) cannot hold its journal: ${reason}`,
      );
    }
  }

  /** See `Executor.undo`. Never rejects. */
  async undo(request: UndoRequest, signal: AbortSignal): Promise<UndoReport> {
    const { runId, owner } = request;
    if (!runIdPattern.test(runId)) {
      return { found: false };
    }
    const directory = this.#pathOf(owner, runId);
    try {
      await this.#openDirectory();
      return await this.#turns.take(directory, () => this.#undo(directory, request, signal));
    } catch (error) {
      const reason = `The journal cannot be used: ${describeSystemError(error)}.`;
      return { found: true, paths: [{ path: '.', outcome: 'refused', reason }] };
    }
  }

  async #undo(directory: string, request: UndoRequest, signal: AbortSignal): Promise<UndoReport> {
    const journal = await this.#read(directory, request);
    if (journal === null) {
      return { found: false };
    }
    const asked = readAsked(journal, request.paths);
    if (this.#isGoingOn(directory, journal)) {
      return refuseAll(asked, 'The run is still in progress: end it first.');
    }
    const undone = await withUndoLock(directory, () =>
      this.#undoRead(journal, (path) => asked.realPaths.has(path), signal),
    );
    if (undone === null) {
      return refuseAll(asked, 'Another process is undoing this run.');
    }
    return reportUndone(journal, asked, undone);
  }

  async #undoRead(
    { run, account, contents, note }: OpenedJournal,
    isWanted: (path: string) => boolean,
    signal: AbortSignal,
  ): Promise<UndoneRun> {
    const { privateDirectories, clock } = this.#options;
    const roots = new RealRoots({ directories: run.roots, privateDirectories });
    if (!account.isClosed) {
      await removeLeftovers({ account, directories: run.roots, roots, clock }, signal);
    }
    const onGap = (path: string): Promise<void> => note({ type: 'undoing', path });
    return undoRun({ runId: run.runId, account, contents, roots, onGap }, isWanted, signal);
  }

  /** Null if that owner has no such run. Moves a damaged journal aside. */
  async #read(directory: string, { runId, owner }: UndoRequest): Promise<OpenedJournal | null> {
    const opening = await openJournal(directory, this.#limits.maxJournalBytes);
    if (opening.kind === 'missing') {
      return null;
    }
    if (opening.kind === 'opened' && opening.journal.run.owner === owner && opening.journal.run.runId === runId) {
      return opening.journal;
    }
    const path = await quarantine(directory, this.#options.clock.now());
    const reason = opening.kind === 'damaged' ? opening.reason : 'the journal of another run';
    if (path !== null) {
      this.#options.onQuarantine?.({ path, reason });
    }
    return null;
  }

  #isGoingOn(directory: string, { run, account }: OpenedJournal): boolean {
    const isOver = account.isClosed || this.#ended.has(directory);
    return this.#open.has(directory) || (!isOver && seemsAlive(run.tag));
  }

  async #isInUse(directory: string): Promise<boolean> {
    if (this.#open.has(directory)) {
      return true;
    }
    const opening = await openJournal(directory, this.#limits.maxJournalBytes);
    return opening.kind === 'opened' && this.#isGoingOn(directory, opening.journal);
  }

  async #end(journal: RunJournal, owner: string, runId: string): Promise<void> {
    await journal.close();
    const directory = this.#pathOf(owner, runId);
    this.#open.delete(directory);
    if (!journal.account.isClosed) {
      this.#ended.add(directory);
    }
    await this.#room.makeFor(ownerDirectoryName(owner), runId).catch(() => undefined);
  }

  async #openDirectory(): Promise<void> {
    await mkdir(this.#options.stateDirectory, { recursive: true, mode: 0o700 });
    await ensurePrivateDirectory(this.#options.stateDirectory);
    await ensurePrivateDirectory(this.#directory);
    await this.#room.sweepAtTimes();
  }

  #pathOf(owner: string, runId: string): string {
    return join(this.#directory, ownerDirectoryName(owner), runId);
  }

  get #limits(): RunJournalLimits {
    return this.#options.limits ?? runJournalLimits;
  }
}

export type SavedRun = {
  readonly journal: RunJournal;
  readonly directory: string;
  /** Ends the run: it can be undone from then on. Never rejects. */
  readonly end: () => Promise<void>;
};

type Leftovers = {
  readonly account: RunAccount;
  readonly directories: readonly string[];
  readonly roots: RealRoots;
  readonly clock: Clock;
};

const limits = { maxFiles: 50_000, maxBytes: Number.POSITIVE_INFINITY, maxEntries: 200_000 };

/**
 * Removes the temporary files that a killed process left next to files that it was about to change: in the directories of its changes, and
 * in all watched ones if those are not too many. Never rejects.
 */
async function removeLeftovers(leftovers: Leftovers, signal: AbortSignal): Promise<void> {
  try {
    const candidates = [...(await inDirectoriesOf(leftovers)), ...(await inWatched(leftovers, signal))];
    for (const path of new Set(candidates)) {
      await openParent(path, leftovers.roots, async (at) => {
        await ((await lstat(at)).isFile() ? unlink(at) : undefined);
      }).catch(() => undefined);
    }
  } catch {
    // They do no harm: the next undo tries again.
  }
}

async function inDirectoriesOf({ account, roots }: Leftovers): Promise<readonly string[]> {
  const found: string[] = [];
  for (const directory of new Set(account.paths.map(({ path }) => dirname(path)))) {
    const reached = await openParent(join(directory, 'any'), roots, (at) => readdir(dirname(at))).catch(() => null);
    const names = reached?.reached === true ? reached.value : [];
    found.push(...names.filter(isLeftTemporaryName).map((name) => join(directory, name)));
  }
  return found;
}

async function inWatched({ directories, roots, clock }: Leftovers, signal: AbortSignal): Promise<readonly string[]> {
  const slices = new TimeSlices({ clock, deadlineAtMs: Number.POSITIVE_INFINITY }, signal);
  const scan = await scanTree({ directories, roots, limits, slices, earlier: null, reopens: false });
  return [...scan.places.keys()].filter((path) => isLeftTemporaryName(basename(path)));
}

type AskedPaths = {
  /** The names as given; empty stands for everything. */
  readonly names: readonly string[];
  readonly realPaths: ReadonlySet<string>;
  readonly unknown: readonly string[];
  readonly isEverything: boolean;
};

function readAsked({ account, run }: OpenedJournal, paths: readonly string[] | undefined): AskedPaths {
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

function refuseAll({ names }: AskedPaths, reason: string): UndoReport {
  return { found: true, paths: names.map((path) => refuse(path, reason)).sort(byPath) };
}

/** By path. Directories appear only if one was refused. */
function reportUndone(journal: OpenedJournal, asked: AskedPaths, undone: UndoneRun): UndoReport {
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

/** Why some changes of the run may be unknown: sentences. */
function unknownChanges({ account }: OpenedJournal): readonly string[] {
  return [...(account.uncovered === null ? [] : [account.uncovered]), ...(account.isCommandRunning ? [cutShort] : [])];
}

const cutShort =
  'The server ended in the middle of a command: the changes of that command are not known and were not undone.';

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

const lockName = 'undoing';

/** Does work that only one process at a time may do with a run. Resolves to null, without doing it, while another process does. */
async function withUndoLock<Result>(directory: string, act: () => Promise<Result>): Promise<Result | null> {
  const path = join(directory, lockName);
  if (!((await take(path)) || ((await isAbandoned(path)) && (await take(path))))) {
    return null;
  }
  try {
    return await act();
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

async function take(path: string): Promise<boolean> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    if (errorCode(error) === 'EEXIST') {
      return null;
    }
    throw error;
  });
  // On a full disk the lock stays empty and stops no one: an undo that frees space matters more.
  await file?.writeFile(createTag()).catch(() => undefined);
  await file?.close();
  return file !== null;
}

/** Removes the lock of a dead process. */
async function isAbandoned(path: string): Promise<boolean> {
  const tag = await readFile(path, 'utf8').catch(() => '');
  if (tag !== '' && seemsAlive(tag)) {
    return false;
  }
  await rm(path, { force: true });
  return true;
}

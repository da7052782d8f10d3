import type { Clock, CommandReport, FileChange, UndoCoverage, UnsavedChanges } from '@gemini-mcp/core';
import type { RealRoots } from '../../../disk/real-roots.ts';
import { TimeSlices } from '../../../disk/time-slices.ts';
import { describeFound } from '../describe-change.ts';
import { describeSystemError } from '../describe-system-error.ts';
import { displayPathOf } from '../display-path-of.ts';
import {
  type ChangeJournal,
  type FileState,
  fileModeOf,
  isSameState,
  type JournalEntry,
  stateAfter,
  stateBefore,
} from '../file-state.ts';
import { IdentityFiles, listSome } from '../identity-files.ts';
import type { FoundChange, RunJournal } from '../run-journal.ts';
import { findChanges } from './find-changes.ts';
import { scanTree, type TreeLimits, type TreeScan } from './scan-tree.ts';
import { TreeBaseline } from './tree-baseline.ts';
import { TreeCopies } from './tree-copies.ts';
import { UnsavedPaths } from './unsaved-paths.ts';
import {
  compareStamps,
  disarmRepository,
  fileModeIn,
  newRepositories,
  type StampScan,
  scanStamps,
} from './unwatched-stamps.ts';

export type WatchedTreeOptions = {
  /** The directories that commands may write: real paths, none below another. */
  readonly directories: readonly string[];
  readonly roots: RealRoots;
  readonly workingDirectory: string;
  readonly journal: RunJournal;
  /** For this run's copies; does not exist yet. */
  readonly copiesDirectory: string;
  readonly clock: Clock;
  readonly limits?: TreeLimits;
};

const defaultLimits: TreeLimits = { maxFiles: 20_000, maxBytes: 104_857_600, maxEntries: 200_000 };

/** A command that creates more than this moves a tree. */
const defaultMaxCreated = 10_000;

/** Later there may be this many times as many copies, since commands may create files and change them. */
const growth = 4;

const nothing: TreeScan['places'] = new Map();

/** A command's changes. */
export type CommandChanges = Required<Pick<CommandReport, 'notes'>> & {
  readonly files: readonly FileChange[];
  /** Null if undo restores everything. */
  readonly unkept: UnsavedChanges | null;
};

const noAbort = new AbortController().signal;

/**
 * Finds a command's changes by comparing a tree with a copy from before, and enters them in the run's journal. Tools of the run report
 * their changes to `record`, so that they are not attributed to a command. Files that Git ignores, repositories, packages and caches are
 * not copied: changes there are found by stamps, reported and not undone. Copied files stay watched, however much commands create.
 *
 * Not promised: changes that somebody else makes while a command runs are attributed to the command. The content of a secret is not kept.
 */
export class WatchedTree implements ChangeJournal {
  readonly #options: WatchedTreeOptions;
  readonly #copies: TreeCopies;
  readonly #baseline: TreeBaseline;
  /** The states that tools left since the baseline was taken. */
  readonly #madeByTools = new Map<string, FileState>();
  readonly #unkept: UnsavedPaths;
  /** The scan whose ignore files and markers apply for the whole run. */
  #first: TreeScan | null = null;
  #stamps: StampScan | null = null;
  #coverage: Promise<UndoCoverage> | null = null;
  #uncovered: string | null = null;
  /** Whether nothing is watched, so that everything is stamped. */
  #isBlind = false;
  #running = 0;
  /** Whether the user allowed one of the running commands. */
  #isAllowedByUser = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: WatchedTreeOptions) {
    this.#options = options;
    const { roots, clock, copiesDirectory, journal, workingDirectory, directories } = options;
    const { maxFiles, maxBytes } = options.limits ?? defaultLimits;
    this.#copies = new TreeCopies({ directory: copiesDirectory, roots, maxBytes, maxFiles: growth * maxFiles });
    this.#baseline = new TreeBaseline({
      ...{ roots, copies: this.#copies, now: () => clock.now() },
      isMadeByRun: (path) => journal.account.at(path)?.first.kind === 'absent',
    });
    this.#unkept = new UnsavedPaths(workingDirectory, directories);
  }

  /** Takes the copy. Later calls return the same result, unless an abort interrupted it. Never rejects. */
  prepare(signal: AbortSignal): Promise<UndoCoverage> {
    this.#coverage ??= this.#inTurn(() => this.#prepare(signal));
    return this.#coverage;
  }

  /** Whether all changes of commands so far are known. */
  get coverage(): UndoCoverage {
    return this.#uncovered === null ? { commands: true } : { commands: false, reason: this.#uncovered };
  }

  /** The changes of commands so far that undo does not restore; null if undo restores all. */
  get unkept(): UnsavedChanges | null {
    return this.#unkept.told;
  }

  /**
   * Call this right before each command starts, after `prepare` has resolved. Resolves to whether the command's changes can be undone.
   * `end` must follow even if the command does not start. Never rejects.
   */
  begin(isAllowedByUser: boolean): Promise<UndoCoverage> {
    return this.#inTurn(async () => {
      if (this.#running > 0) {
        await this.#compare();
      }
      this.#isAllowedByUser = isAllowedByUser || (this.#running > 0 && this.#isAllowedByUser);
      this.#running += 1;
      await this.#options.journal.note({ type: 'command', isRunning: true });
      // An abort of one call must not end the watch.
      await this.#unlessBlind(async () => this.#takeBaseline(noAbort));
      await this.#takeStamps();
      return this.coverage;
    });
  }

  /** Call this when a command has ended: resolves to the changes since `begin`. Never rejects. */
  end(): Promise<CommandChanges> {
    return this.#inTurn(async () => {
      const changes = await this.#compare();
      this.#running -= 1;
      await this.#options.journal.note({ type: 'command', isRunning: false });
      if (this.#running > 0) {
        await this.#unlessBlind(async () => this.#takeBaseline(noAbort));
        await this.#takeStamps();
      }
      return changes;
    });
  }

  record(entry: JournalEntry): Promise<void> {
    return this.#inTurn(async () => {
      await this.#enterWhatCameBefore(entry);
      await this.#options.journal.record(entry);
      if (this.#running > 0) {
        this.#madeByTools.set(entry.path, stateAfter(entry.after));
      }
    });
  }

  /** Removes the copies. Never rejects. */
  close(): Promise<void> {
    return this.#inTurn(() => this.#copies.remove());
  }

  async #prepare(signal: AbortSignal): Promise<UndoCoverage> {
    await this.#unlessBlind(async () => {
      await this.#copies.make();
      await this.#takeBaseline(signal);
    });
    if (signal.aborted) {
      // The next caller starts over.
      await this.#copies.remove();
      this.#coverage = null;
      this.#uncovered = null;
      this.#isBlind = false;
      return { commands: false, reason: 'It was cancelled.' };
    }
    return this.coverage;
  }

  async #takeBaseline(signal: AbortSignal): Promise<void> {
    const scan = await this.#scan(signal, false);
    if (this.#first === null && scan.obstacle !== null) {
      this.#isBlind = true;
      await this.#giveUp(`Changes of commands cannot be undone, because ${scan.obstacle}.`);
      return;
    }
    this.#first ??= scan;
    await this.#baseline.adopt(scan, signal);
    this.#madeByTools.clear();
  }

  async #takeStamps(): Promise<void> {
    this.#stamps = await this.#scanStamps(this.#baseline.scan, null);
  }

  #scanStamps(scan: TreeScan | null, earlier: StampScan | null): Promise<StampScan> {
    const { directories, roots, workingDirectory } = this.#options;
    const tops = new Set([...directories, workingDirectory]);
    const watched = this.#isBlind ? nothing : (scan?.places ?? nothing);
    return scanStamps({ directories, tops, roots, watched, earlier });
  }

  async #compare(): Promise<CommandChanges> {
    const known = this.#uncovered;
    const unkept = new UnsavedPaths(this.#options.workingDirectory, this.#options.directories);
    const identities = new IdentityFiles();
    let files: readonly FileChange[] = [];
    let scan: TreeScan | null = null;
    await this.#unlessBlind(async () => {
      scan = await this.#scan(noAbort, true);
      files = await this.#enterChanges(scan, unkept, identities);
    });
    const notes = await this.#compareStamps(scan, unkept, identities);
    const turned = this.#uncovered !== null && known === null ? [this.#uncovered] : [];
    const left = identities.notes(this.#options.workingDirectory);
    return { files, unkept: unkept.told, notes: [...turned, ...left, ...notes] };
  }

  /** Enters changes to watched places in the journal; reports those that cannot be entered. */
  async #enterChanges(scan: TreeScan, unkept: UnsavedPaths, identities: IdentityFiles): Promise<readonly FileChange[]> {
    const { roots, journal, workingDirectory, limits } = this.#options;
    const found = await findChanges({
      ...{ baseline: this.#baseline, scan, roots, madeByTools: this.#madeByTools },
      maxCreated: limits?.maxCreated ?? defaultMaxCreated,
    });
    await journal.enter(found.changes);
    // Existing files matter more than new ones: room for them must remain, whatever the next command does.
    const isEntered = await journal.enter(found.created, this.#baseline.journalBytes).then(
      () => true,
      () => false,
    );
    for (const { path, before, after } of [...found.changes, ...found.created]) {
      identities.add(path, fileModeOf(before), fileModeOf(after));
    }
    const beyond = [
      ...found.hidden.keys(),
      ...found.beyond,
      ...(isEntered ? [] : found.created.map(({ path }) => path)),
    ];
    for (const path of beyond) {
      this.#addUnkept(path, unkept);
    }
    const [hidden] = found.hidden.values();
    if (hidden !== undefined) {
      await this.#giveUp(`Not all changes of commands are known, because ${hidden}.`);
    } else if (scan.obstacle !== null) {
      await this.#giveUp(`Not everything that commands created is known, because ${scan.obstacle} now.`);
    } else if (beyond.length > 0) {
      await this.#giveUp('Not everything that commands created can be undone, because they created too many files.');
    }
    const told = isEntered ? [...found.changes, ...found.created] : found.changes;
    return describeFound(told, { roots, workingDirectory, contents: journal.contents });
  }

  /** Finds all other changes, and disarms new repositories. Resolves to sentences. */
  async #compareStamps(
    scan: TreeScan | null,
    unkept: UnsavedPaths,
    identities: IdentityFiles,
  ): Promise<readonly string[]> {
    const { roots, workingDirectory } = this.#options;
    const after = await this.#scanStamps(scan, this.#stamps);
    const before = this.#stamps;
    if (before === null) {
      return [];
    }
    const changes = compareStamps(before, after);
    for (const { path } of changes) {
      this.#addUnkept(path, unkept);
      identities.add(path, fileModeIn(before, path), fileModeIn(after, path));
    }
    if (!before.isComplete || !after.isComplete) {
      await this.#giveUp(
        'Not all changes of commands are known, because there are too many files, or their paths are too long.',
      );
    }
    const notes: string[] = this.#tellReopened([...(scan?.reopened ?? []), ...after.reopened]);
    for (const path of this.#isAllowedByUser ? [] : newRepositories(changes)) {
      const target = await disarmRepository(path, roots);
      const name = JSON.stringify(displayPathOf(path, workingDirectory));
      notes.push(
        target === null
          ? `A command created the Git repository ${name}, and it could not be renamed. Git runs commands in its settings: inspect it before you use Git there.`
          : `A command created the Git repository ${name}. Git would run commands in its settings, so it was renamed to ${JSON.stringify(displayPathOf(target, workingDirectory))}.`,
      );
    }
    return notes;
  }

  #tellReopened(paths: readonly string[]): string[] {
    const names = paths.map((path) => JSON.stringify(displayPathOf(path, this.#options.workingDirectory)));
    return names.length === 0
      ? []
      : [`A command closed ${listSome(names)} to its owner. It was reopened, so that changes in it are known.`];
  }

  #addUnkept(path: string, unkept: UnsavedPaths): void {
    unkept.add(path);
    this.#unkept.add(path);
  }

  /** A running command may have changed an existing file that a tool is about to change. */
  async #enterWhatCameBefore({ path, before }: JournalEntry): Promise<void> {
    const { journal } = this.#options;
    const isWatched = this.#running > 0 && !this.#isBlind && journal.account.at(path) === null;
    if (!isWatched) {
      return;
    }
    const old = await this.#baseline.stateAt(path);
    const now = stateBefore(before);
    const isDirectoryAnyhow = old.kind === 'directory' && now.kind === 'directory';
    if (!isDirectoryAnyhow && !isSameState(old, now)) {
      const change: FoundChange = { path, before: old, after: now, copy: this.#baseline.copyOf(path) };
      await journal.enter([change]);
    }
  }

  /** Before the first command the copies are limited; afterwards existing files are always inspected. */
  #scan(signal: AbortSignal, reopens: boolean): Promise<TreeScan> {
    const { directories, roots, clock, limits = defaultLimits } = this.#options;
    const slices = new TimeSlices({ clock, deadlineAtMs: Number.POSITIVE_INFINITY }, signal);
    const unbounded = { maxFiles: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
    return scanTree({
      ...{ directories, roots, slices, reopens, earlier: this.#first, known: this.#baseline.scan?.places },
      limits: this.#first === null ? limits : { ...limits, ...unbounded },
    });
  }

  async #unlessBlind(act: () => Promise<void>): Promise<void> {
    if (this.#isBlind) {
      return;
    }
    try {
      await act();
    } catch (error) {
      this.#isBlind = true;
      await this.#giveUp(`Changes of commands cannot be undone: ${describeSystemError(error)}.`);
    }
  }

  async #giveUp(reason: string): Promise<void> {
    this.#uncovered ??= reason;
    await this.#options.journal.note({ type: 'uncovered', reason });
  }

  #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

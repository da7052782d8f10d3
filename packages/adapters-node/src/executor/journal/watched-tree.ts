import type { Clock, FileChange, UndoCoverage } from '@gemini-mcp/core';
import type { RealRoots } from '../../files/real-roots.ts';
import { TimeSlices } from '../../files/time-slices.ts';
import type { ChangeJournal, JournalEntry } from './change-journal.ts';
import { describeFound } from './describe-found.ts';
import { describeSystemError } from './describe-system-error.ts';
import { findChanges } from './find-changes.ts';
import { isSameState, type PlaceState, stateAfter, stateBefore } from './place-state.ts';
import type { FoundChange, RunJournal } from './run-journal.ts';
import { scanTree, type TreeLimits, type TreeScan } from './scan-tree.ts';
import { TreeBaseline } from './tree-baseline.ts';
import { TreeCopies } from './tree-copies.ts';

export type WatchedTreeOptions = {
  /** Where commands may write: real paths, none below another. */
  readonly directories: readonly string[];
  readonly roots: RealRoots;
  readonly workingDirectory: string;
  readonly journal: RunJournal;
  /** For copies: of this run alone, and not there yet. */
  readonly copiesDirectory: string;
  readonly clock: Clock;
  readonly limits?: TreeLimits;
};

const defaultLimits: TreeLimits = { maxFiles: 5_000, maxBytes: 104_857_600, maxEntries: 200_000 };

/** What a tree may grow to while it is watched: more files than were copied can be made, and removed again. */
const growth = 4;

const noAbort = new AbortController().signal;

/**
 * Finds what commands change, by comparing a tree with a copy of before, and enters it in the journal of the run. What the tools of the
 * run change goes through `record`, so that it is not taken for the work of a command.
 *
 * Not promised: what somebody else changes while a command runs is taken for the command's. What git ignores, what versions are kept in,
 * packages and caches are not watched; the content of a secret is not kept.
 */
export class WatchedTree implements ChangeJournal {
  readonly #options: WatchedTreeOptions;
  readonly #copies: TreeCopies;
  readonly #baseline: TreeBaseline;
  /** What tools left since the baseline was taken. */
  readonly #madeByTools = new Map<string, PlaceState>();
  #coverage: Promise<UndoCoverage> | null = null;
  #uncovered: string | null = null;
  #running = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: WatchedTreeOptions) {
    this.#options = options;
    const { roots, clock, copiesDirectory, limits = defaultLimits } = options;
    this.#copies = new TreeCopies({ directory: copiesDirectory, roots, maxBytes: limits.maxBytes });
    this.#baseline = new TreeBaseline({ roots, copies: this.#copies, now: () => clock.now() });
  }

  /** Takes the copy. Resolves to the same each time, but where it was aborted before it was done. Never rejects. */
  prepare(signal: AbortSignal): Promise<UndoCoverage> {
    this.#coverage ??= this.#inTurn(() => this.#prepare(signal));
    return this.#coverage;
  }

  /** Whether everything that commands have changed so far is known. */
  get coverage(): UndoCoverage {
    return this.#uncovered === null ? { commands: true } : { commands: false, reason: this.#uncovered };
  }

  /** To be called right before each command starts, once `prepare` has resolved. Never rejects. */
  begin(signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#uncovered === null && this.#running > 0) {
        await this.#compare();
      }
      this.#running += 1;
      await this.#options.journal.note({ type: 'command', isRunning: true });
      await this.#unlessUncovered(async () => this.#takeBaseline(signal));
    });
  }

  /** To be called when a command has ended: tells what was changed since `begin`. Never rejects. */
  end(): Promise<readonly FileChange[]> {
    return this.#inTurn(async () => {
      const changes = await this.#compare();
      this.#running -= 1;
      await this.#options.journal.note({ type: 'command', isRunning: false });
      if (this.#running > 0) {
        await this.#unlessUncovered(async () => this.#takeBaseline(noAbort));
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
    await this.#unlessUncovered(async () => {
      await this.#copies.make();
      await this.#takeBaseline(signal);
    });
    if (signal.aborted) {
      // The next caller begins from the start.
      await this.#copies.remove();
      this.#coverage = null;
      this.#uncovered = null;
      return { commands: false, reason: 'It was cancelled.' };
    }
    return this.coverage;
  }

  async #takeBaseline(signal: AbortSignal): Promise<void> {
    const scan = await this.#scan(null, signal);
    if (typeof scan === 'string') {
      await this.#giveUp(`What commands change cannot be undone, because ${scan}.`);
      return;
    }
    await this.#baseline.adopt(scan, signal);
    this.#madeByTools.clear();
  }

  async #compare(): Promise<readonly FileChange[]> {
    let changes: readonly FileChange[] = [];
    await this.#unlessUncovered(async () => {
      const scan = await this.#scan(this.#baseline.scan, noAbort);
      if (typeof scan === 'string') {
        await this.#giveUp(`Not everything that commands changed can be undone, because ${scan} now.`);
      }
      const { roots, journal, workingDirectory } = this.#options;
      const found = await findChanges({
        baseline: this.#baseline,
        scan: typeof scan === 'string' ? null : scan,
        roots,
        madeByTools: this.#madeByTools,
      });
      await journal.enter(found.changes);
      if (found.isCut) {
        await this.#giveUp('Not everything that commands changed can be undone, because it was too much.');
      }
      changes = await describeFound(found.changes, { roots, workingDirectory, contents: journal.contents });
    });
    return changes;
  }

  /** Where a command that still runs has changed what a tool is about to change, that was there before the command. */
  async #enterWhatCameBefore({ path, before }: JournalEntry): Promise<void> {
    const { journal } = this.#options;
    const isWatched = this.#running > 0 && this.#uncovered === null && journal.account.at(path) === null;
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

  #scan(earlier: TreeScan | null, signal: AbortSignal): Promise<TreeScan | string> {
    const { directories, roots, clock, limits = defaultLimits } = this.#options;
    const isFirst = this.#baseline.scan === null;
    const maxFiles = isFirst ? limits.maxFiles : growth * limits.maxFiles;
    const maxBytes = isFirst ? limits.maxBytes : Number.POSITIVE_INFINITY;
    const slices = new TimeSlices({ clock, deadlineAtMs: Number.POSITIVE_INFINITY }, signal);
    return scanTree({ directories, roots, limits: { ...limits, maxFiles, maxBytes }, slices, earlier });
  }

  async #unlessUncovered(act: () => Promise<void>): Promise<void> {
    if (this.#uncovered !== null) {
      return;
    }
    try {
      await act();
    } catch (error) {
      await this.#giveUp(`What commands change cannot be undone: ${describeSystemError(error)}.`);
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

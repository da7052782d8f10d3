import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory } from '../../disk/durable/sync-directory.ts';
import {
  type ChangeJournal,
  type FileState,
  hashOf,
  type JournalEntry,
  stateAfter,
  stateBefore,
} from './file-state.ts';
import { JournalFile } from './journal-file.ts';
import type { ChangeLine, JournalLine, RunLine } from './journal-line.ts';
import { RunAccount } from './run-account.ts';
import { SavedContents } from './saved-contents.ts';

export const journalName = 'journal';
export const contentsName = 'contents';
export const copiesName = 'copies';

export type RunJournalLimits = {
  readonly maxBytes: number;
  /** Only the journal, without contents: 10,000 changes take some 5 MB. */
  readonly maxJournalBytes: number;
};

export const runJournalLimits: RunJournalLimits = { maxBytes: 268_435_456, maxJournalBytes: 33_554_432 };

export type RunJournalOptions = {
  /** Belongs to this run only; its parent exists and is private to this user. */
  readonly directory: string;
  readonly run: Omit<RunLine, 'type' | 'format'>;
  readonly limits?: RunJournalLimits;
};

/** A change whose former content, if any, is in a file of ours that the journal may take over. */
export type FoundChange = {
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly copy: string | null;
};

/** The journal of a run in progress. One call at a time: `WatchedTree` calls it in order. */
export class RunJournal implements ChangeJournal {
  readonly account: RunAccount = new RunAccount();
  readonly contents: SavedContents;
  readonly #file: JournalFile;
  readonly #limits: RunJournalLimits;
  #contentBytes = 0;

  private constructor(file: JournalFile, { directory, limits = runJournalLimits }: RunJournalOptions) {
    this.#file = file;
    this.#limits = limits;
    this.contents = new SavedContents(join(directory, contentsName));
  }

  /** Rejects if the system refuses, and with EEXIST if a run of that name exists. */
  static async create(options: RunJournalOptions): Promise<RunJournal> {
    const { directory, run } = options;
    await mkdir(directory, { mode: 0o700 });
    const file = await JournalFile.create(join(directory, journalName));
    const journal = new RunJournal(file, options);
    try {
      await journal.#write([{ type: 'run', format: 1, ...run }]);
      await syncDirectory(directory);
      await syncDirectory(dirname(directory));
    } catch (error) {
      await file.close();
      throw error;
    }
    return journal;
  }

  get sizeBytes(): number {
    return this.#contentBytes + this.#file.sizeBytes;
  }

  async record({ path, before, after }: JournalEntry): Promise<void> {
    const line: ChangeLine = {
      type: 'change',
      path,
      before: stateBefore(before),
      after: stateAfter(after),
      isMade: false,
    };
    const bytes = this.#isToKeep(line) && before.type === 'file' ? before.bytes : null;
    this.#refuseIfFull([line], bytes?.byteLength ?? 0);
    await (bytes === null ? undefined : this.#keep(bytes));
    await this.#write([line]);
  }

  /**
   * Records a command's changes. Rejects, with a sentence for the user, if they cannot be kept or would leave less room in the journal than
   * `reserveBytes`.
   */
  async enter(changes: readonly FoundChange[], reserveBytes = 0): Promise<void> {
    const lines = changes.map(
      ({ path, before, after }): ChangeLine => ({ type: 'change', path, before, after, isMade: true }),
    );
    this.#refuseIfFull(lines, 0, reserveBytes);
    for (const change of changes) {
      await this.#keepCopy(change);
    }
    await this.#write(lines);
  }

  /** Records something other than a change. Never rejects: if the record fails, it is unknown after a restart. */
  async note(line: Exclude<JournalLine, { type: 'run' | 'change' }>): Promise<void> {
    await this.#write([line]).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.note({ type: 'closed' });
    await this.#file.close();
  }

  /** Undo restores only the state before the first change of a path. */
  #isToKeep({ path, before }: Pick<ChangeLine, 'path' | 'before'>): boolean {
    return before.kind === 'file' && this.account.at(path) === null;
  }

  async #keep(content: Uint8Array): Promise<void> {
    const hash = hashOf(content);
    if (!this.contents.has(hash)) {
      await this.contents.keep(hash, content);
      this.#contentBytes += content.byteLength;
    }
  }

  async #keepCopy(change: FoundChange): Promise<void> {
    const { before, copy } = change;
    if (copy === null || before.kind !== 'file' || before.hash === null || !this.#isToKeep(change)) {
      return;
    }
    if (!this.contents.has(before.hash)) {
      await this.contents.adopt(before.hash, copy);
      this.#contentBytes += before.sizeBytes;
    }
  }

  /** Counts each line with room for its digest. */
  #refuseIfFull(lines: readonly ChangeLine[], contentBytes: number, reserveBytes = 0): void {
    const lineBytes = lines.reduce((sum, line) => sum + Buffer.byteLength(JSON.stringify(line)) + 32, 0);
    const journalBytes = this.#file.sizeBytes + lineBytes + reserveBytes;
    const { maxBytes, maxJournalBytes } = this.#limits;
    if (journalBytes > maxJournalBytes || this.#contentBytes + contentBytes + journalBytes > maxBytes) {
      throw new Error(fullReason);
    }
  }

  async #write(lines: readonly JournalLine[]): Promise<void> {
    await this.#file.append(lines);
    for (const line of lines) {
      this.account.apply(line);
    }
  }
}

const fullReason =
  'The journal of the run is full, so further changes could not be undone. Undo or keep the run, and start another.';

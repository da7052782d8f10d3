import { constants, type Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { UsageEntry, UsageLedger } from '@gemini-mcp/core';
import { readUsageEntry } from '@gemini-mcp/core/internal';
import { isMissing } from '../processes/error-code.ts';
import { describeWriteError } from './describe-write-error.ts';

export type FileUsageLedgerOptions = {
  /** The state directory: the ledger has a directory of its own in it. Created with the first entry. */
  readonly directory: string;
  /** Called with a sentence, at most once, if entries are being lost. */
  readonly onProblem: (sentence: string) => void;
};

/** Months whose entries are kept, besides the current one. */
const keptMonths = 24;

/** More entries than this wait only for a disk that does not answer. */
const maxWaiting = 10_000;

/** Longer than any entry that we write. */
const maxLineCharacters = 65_536;

/**
 * Keeps entries as lines of JSON in one private file for each month of UTC. Several processes may write at the same time: a batch is one append. A line
 * that a killed process left unfinished costs that entry alone.
 */
export class FileUsageLedger implements UsageLedger {
  readonly #directory: string;
  readonly #onProblem: (sentence: string) => void;
  #waiting: UsageEntry[] = [];
  #writing: Promise<void> | null = null;
  #hasTold = false;
  /** The files whose last line this process knows to be whole. */
  readonly #whole = new Set<string>();

  constructor({ directory, onProblem }: FileUsageLedgerOptions) {
    this.#directory = join(directory, 'usage');
    this.#onProblem = onProblem;
  }

  record(entry: UsageEntry): void {
    if (this.#waiting.length >= maxWaiting) {
      this.#tell('the disk takes no more');
      return;
    }
    this.#waiting.push(entry);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
  }

  async *read(sinceMs: number, signal: AbortSignal): AsyncGenerator<readonly UsageEntry[], void, undefined> {
    signal.throwIfAborted();
    await this.close();
    const first = fileNameOf(sinceMs);
    for (const name of (await this.#listFiles()).filter((file) => file >= first)) {
      for await (const lines of linesOf(join(this.#directory, name))) {
        signal.throwIfAborted();
        yield lines.map(readUsageEntry).filter((entry): entry is UsageEntry => entry !== null && entry.atMs >= sinceMs);
      }
    }
  }

  async close(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        for (const name of new Set(batch.map(({ atMs }) => fileNameOf(atMs)))) {
          await this.#append(
            name,
            batch.filter(({ atMs }) => fileNameOf(atMs) === name),
          );
        }
      } catch (error) {
        this.#tell(describeWriteError(error));
      }
    }
  }

  async #append(name: string, entries: readonly UsageEntry[]): Promise<void> {
    const file = await this.#open(name);
    try {
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      const begin = this.#whole.has(name) || (await endsWhole(file)) ? '' : '\n';
      await file.appendFile(begin + lines);
      this.#whole.add(name);
    } catch (error) {
      // Part of a line may be there.
      this.#whole.delete(name);
      throw error;
    } finally {
      await file.close();
    }
  }

  async #open(name: string): Promise<FileHandle> {
    const flags = constants.O_APPEND | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);
    const path = join(this.#directory, name);
    try {
      return await open(path, flags);
    } catch (error) {
      if (!isMissing(error)) {
        throw error;
      }
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      await this.#removeOld(name);
      return open(path, flags | constants.O_CREAT, 0o600);
    }
  }

  async #removeOld(current: string): Promise<void> {
    const oldest = oldestKept(current);
    const old = (await this.#listFiles()).filter((name) => name < oldest);
    await Promise.all(old.map((name) => rm(join(this.#directory, name), { force: true })));
  }

  /** Oldest first. */
  async #listFiles(): Promise<readonly string[]> {
    const entries = await readdir(this.#directory, { withFileTypes: true }).catch((error: unknown): Dirent[] => {
      if (isMissing(error)) {
        return [];
      }
      throw error;
    });
    return entries
      .filter((entry) => entry.isFile() && fileName.test(entry.name))
      .map(({ name }) => name)
      .sort();
  }

  #tell(reason: string): void {
    if (!this.#hasTold) {
      this.#hasTold = true;
      this.#onProblem(`Usage is not recorded: ${reason}.`);
    }
  }
}

const fileName = /^\d{4}-\d\d\.jsonl$/;

function fileNameOf(atMs: number): string {
  return `${new Date(Math.max(0, atMs)).toISOString().slice(0, 7)}.jsonl`;
}

function oldestKept(current: string): string {
  const [year = 0, month = 0] = current.slice(0, 7).split('-').map(Number);
  return fileNameOf(Date.UTC(year, month - 1 - keptMonths));
}

async function endsWhole(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) {
    return true;
  }
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last[0] === '\n'.charCodeAt(0);
}

/** The lines of a file, piece by piece, without those that are too long. An unfinished last line is left out. */
async function* linesOf(path: string): AsyncGenerator<readonly string[], void, undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  let rest = '';
  for await (const piece of file.createReadStream({ encoding: 'utf8', highWaterMark: 1_048_576 })) {
    const lines = `${rest}${piece}`.split('\n');
    // A file without line ends must not fill the memory. One character too many is enough to refuse the line.
    rest = (lines.pop() ?? '').slice(0, maxLineCharacters + 1);
    yield lines.filter((line) => line.length <= maxLineCharacters);
  }
}

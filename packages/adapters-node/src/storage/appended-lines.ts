import { constants, type Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../processes/error-code.ts';
import { describeWriteError } from './describe-write-error.ts';

export type AppendedLinesOptions = {
  /** Created with the first line. */
  readonly directory: string;
  /** Names the file of a moment. Names sort by time. */
  readonly nameOf: (atMs: number) => string;
  /** Matches every such name, and nothing that others may put into the directory. */
  readonly pattern: RegExp;
  /** The first name that is kept when a new file begins. */
  readonly oldestBeside: (current: string) => string;
  /** Called with a reason, at most once, if lines are being lost. */
  readonly onLost: (reason: string) => void;
};

/** More than this waits only for a disk that does not answer. */
const maxWaitingCharacters = 16_777_216;

/** Reading passes over longer lines. */
const maxLineCharacters = 65_536;

/**
 * Lines of text in private files of one directory, a file for each period. Several processes may append at the same time: a batch is one append. A
 * line that a killed process left unfinished costs that line alone. Files that have grown old are removed when a new one begins.
 */
export class AppendedLines {
  readonly #options: AppendedLinesOptions;
  #waiting: { readonly name: string; readonly line: string }[] = [];
  #waitingCharacters = 0;
  #writing: Promise<void> | null = null;
  #hasTold = false;
  /** The files whose last line this process knows to be whole. */
  readonly #whole = new Set<string>();

  constructor(options: AppendedLinesOptions) {
    this.#options = options;
  }

  /** Returns at once and never throws. The line must not have a line end. */
  add(atMs: number, line: string): void {
    if (this.#waitingCharacters + line.length > maxWaitingCharacters) {
      this.#tell('the disk takes no more');
      return;
    }
    this.#waitingCharacters += line.length;
    this.#waiting.push({ name: this.#options.nameOf(atMs), line });
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
  }

  /** The lines of the file of `sinceMs` and of later ones, piece by piece, without those that are too long. Rejects with `signal.reason` if aborted. */
  async *read(sinceMs: number, signal: AbortSignal): AsyncGenerator<readonly string[], void, undefined> {
    signal.throwIfAborted();
    await this.settled();
    const { directory, nameOf } = this.#options;
    const first = nameOf(sinceMs);
    for (const name of (await this.#listFiles()).filter((file) => file >= first)) {
      for await (const lines of linesOf(join(directory, name))) {
        signal.throwIfAborted();
        yield lines;
      }
    }
  }

  /** Resolves when all lines are written or lost. Never rejects. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#waitingCharacters = 0;
      try {
        for (const name of new Set(batch.map((entry) => entry.name))) {
          await this.#append(
            name,
            batch.filter((entry) => entry.name === name).map(({ line }) => line),
          );
        }
      } catch (error) {
        this.#tell(describeWriteError(error));
      }
    }
  }

  async #append(name: string, lines: readonly string[]): Promise<void> {
    const file = await this.#open(name);
    try {
      const begin = this.#whole.has(name) || (await endsWhole(file)) ? '' : '\n';
      await file.appendFile(`${begin}${lines.join('\n')}\n`);
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
    const { directory } = this.#options;
    const path = join(directory, name);
    try {
      return await open(path, flags);
    } catch (error) {
      if (!isMissing(error)) {
        throw error;
      }
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await this.#removeOld(name);
      return open(path, flags | constants.O_CREAT, 0o600);
    }
  }

  async #removeOld(current: string): Promise<void> {
    const { directory, oldestBeside } = this.#options;
    const oldest = oldestBeside(current);
    const old = (await this.#listFiles()).filter((name) => name < oldest);
    await Promise.all(old.map((name) => rm(join(directory, name), { force: true })));
  }

  /** Oldest first. */
  async #listFiles(): Promise<readonly string[]> {
    const { directory, pattern } = this.#options;
    const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown): Dirent[] => {
      if (isMissing(error)) {
        return [];
      }
      throw error;
    });
    return entries
      .filter((entry) => entry.isFile() && pattern.test(entry.name))
      .map(({ name }) => name)
      .sort();
  }

  #tell(reason: string): void {
    if (!this.#hasTold) {
      this.#hasTold = true;
      this.#options.onLost(reason);
    }
  }
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

/** An unfinished last line is left out. */
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

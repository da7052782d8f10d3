import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { openContents } from '../../disk/durable/open-contents.ts';
import { formatLine, type JournalLine, parseLine } from './journal-line.ts';

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const appendFlags = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

/** The lines of a journal on the disk. A kill in the middle of a line leaves a partial line, which the next writer truncates. */
export class JournalFile {
  readonly #file: FileHandle;
  #sizeBytes: number;
  #isBroken = false;

  private constructor(file: FileHandle, sizeBytes: number) {
    this.#file = file;
    this.#sizeBytes = sizeBytes;
  }

  /** Rejects if the journal exists. */
  static async create(path: string): Promise<JournalFile> {
    return new JournalFile(await open(path, createFlags, 0o600), 0);
  }

  /** Continues after the complete lines that `readJournalFile` found. */
  static async reopen(path: string, wholeBytes: number): Promise<JournalFile> {
    const file = await open(path, appendFlags);
    try {
      await file.truncate(wholeBytes);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new JournalFile(file, wholeBytes);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Appends all of the lines or none, flushed to the disk on resolution. Rejects if the system refuses. */
  async append(lines: readonly JournalLine[]): Promise<void> {
    if (this.#isBroken) {
      throw new Error('the journal could not be written before');
    }
    const bytes = Buffer.from(lines.map(formatLine).join(''));
    try {
      await writeAt(this.#file, bytes, this.#sizeBytes);
      await this.#file.datasync();
    } catch (error) {
      await this.#cutOff();
      throw error;
    }
    this.#sizeBytes += bytes.length;
  }

  async close(): Promise<void> {
    await this.#file.close().catch(() => undefined);
  }

  async #cutOff(): Promise<void> {
    await this.#file.truncate(this.#sizeBytes).catch(() => {
      this.#isBroken = true;
    });
  }
}

async function writeAt(file: FileHandle, bytes: Uint8Array, start: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, start + done);
    done += bytesWritten;
  }
}

export type JournalReading =
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged'; readonly reason: string }
  /** `wholeBytes`: where the complete lines end. */
  | { readonly kind: 'read'; readonly lines: readonly JournalLine[]; readonly wholeBytes: number };

/** Reads a journal. Skips an incomplete last line: its change was never begun. Rejects if the system refuses. */
export async function readJournalFile(path: string, maxBytes: number): Promise<JournalReading> {
  const file = await openContents(path);
  if (file === null) {
    return { kind: 'missing' };
  }
  if ('reason' in file) {
    return { kind: 'damaged', reason: file.reason };
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > maxBytes) {
      return {
        kind: 'damaged',
        reason: stats.isFile() ? `${stats.size} bytes, more than the limit of ${maxBytes}` : 'not a regular file',
      };
    }
    return readLines(await file.readFile());
  } finally {
    await file.close();
  }
}

const newline = 10;

function readLines(bytes: Buffer): JournalReading {
  const lines: JournalLine[] = [];
  let start = 0;
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    const line = parseLine(bytes.toString('utf8', start, end));
    if (line === null) {
      // After a power loss, the last line can look complete but fail its digest.
      const isLast = end === bytes.length - 1;
      return isLast
        ? { kind: 'read', lines, wholeBytes: start }
        : { kind: 'damaged', reason: `line ${lines.length + 1} is damaged` };
    }
    lines.push(line);
    start = end + 1;
  }
  return { kind: 'read', lines, wholeBytes: start };
}

import { join } from 'node:path';
import type { UsageEntry, UsageLedger } from '@gemini-mcp/core';
import { readUsageEntry } from '@gemini-mcp/core/internal';
import { AppendedLines } from './appended-lines.ts';

export type FileUsageLedgerOptions = {
  /** The state directory: the ledger has a directory of its own in it. Created with the first entry. */
  readonly directory: string;
  /** Called with a sentence, at most once, if entries are being lost. */
  readonly onProblem: (sentence: string) => void;
};

/** Months whose entries are kept, besides the current one. */
const keptMonths = 24;

/** Keeps entries as lines of JSON in one private file for each month of UTC, for two years. Several processes may write at the same time. */
export class FileUsageLedger implements UsageLedger {
  readonly #lines: AppendedLines;

  constructor({ directory, onProblem }: FileUsageLedgerOptions) {
    this.#lines = new AppendedLines({
      directory: join(directory, 'usage'),
      nameOf,
      pattern: /^\d{4}-\d\d\.jsonl$/,
      oldestBeside: (current) => {
        const [year = 0, month = 0] = current.slice(0, 7).split('-').map(Number);
        return nameOf(Date.UTC(year, month - 1 - keptMonths));
      },
      onLost: (reason) => onProblem(`Usage is not recorded: ${reason}.`),
    });
  }

  record(entry: UsageEntry): void {
    this.#lines.add(entry.atMs, JSON.stringify(entry));
  }

  async *read(sinceMs: number, signal: AbortSignal): AsyncGenerator<readonly UsageEntry[], void, undefined> {
    for await (const lines of this.#lines.read(sinceMs, signal)) {
      yield lines.map(readUsageEntry).filter((entry): entry is UsageEntry => entry !== null && entry.atMs >= sinceMs);
    }
  }

  close(): Promise<void> {
    return this.#lines.settled();
  }
}

function nameOf(atMs: number): string {
  return `${new Date(Math.max(0, atMs)).toISOString().slice(0, 7)}.jsonl`;
}

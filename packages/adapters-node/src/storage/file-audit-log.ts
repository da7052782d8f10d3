import { join } from 'node:path';
import type { AuditEntry, AuditLog } from '@gemini-mcp/core';
import { AppendedLines } from './appended-lines.ts';

export type FileAuditLogOptions = {
  /** The state directory: the log has a directory of its own in it. Created with the first entry. */
  readonly directory: string;
  /** Days whose entries are kept, besides the current one; infinity keeps them all. */
  readonly retentionDays: number;
  /** Called with a sentence, at most once, if entries are being lost. */
  readonly onProblem: (sentence: string) => void;
};

const dayMs = 86_400_000;

/**
 * Keeps entries as lines of JSON in one private file for each day of UTC. Each line has the time of its entry as ISO 8601 first. Several processes may
 * write at the same time.
 */
export class FileAuditLog implements AuditLog {
  readonly #lines: AppendedLines;

  constructor({ directory, retentionDays, onProblem }: FileAuditLogOptions) {
    this.#lines = new AppendedLines({
      directory: join(directory, 'audit'),
      nameOf,
      pattern: /^\d{4}-\d\d-\d\d\.jsonl$/,
      oldestBeside: (current) =>
        retentionDays === Number.POSITIVE_INFINITY
          ? ''
          : nameOf(Date.parse(current.slice(0, 10)) - retentionDays * dayMs),
      onLost: (reason) => onProblem(`Calls are missing from the audit log: ${reason}.`),
    });
  }

  record({ atMs, ...entry }: AuditEntry): void {
    this.#lines.add(atMs, JSON.stringify({ time: new Date(atMs).toISOString(), ...entry }));
  }

  close(): Promise<void> {
    return this.#lines.settled();
  }
}

function nameOf(atMs: number): string {
  return `${new Date(Math.max(0, atMs)).toISOString().slice(0, 10)}.jsonl`;
}

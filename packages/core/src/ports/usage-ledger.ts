import type { UsageEntry } from '../usage/usage-entry.ts';

/**
 * Keeps what calls to Gemini used, to be counted later. A ledger never fails and never delays a call:
 *
 * - `record` returns at once and does not throw. An entry that cannot be kept is lost, and the ledger reports that to its operator.
 * - `read` yields the entries that ended at `sinceMs` or later, of all owners, in about the order in which they ended. It passes over damaged entries
 *   and sees those that were recorded before it began. It rejects with `signal.reason` if the signal is aborted, or with an `Error` if the ledger
 *   cannot be read.
 * - `close` resolves when all recorded entries are kept or lost. Never rejects.
 */
export interface UsageLedger {
  record(entry: UsageEntry): void;
  read(sinceMs: number, signal: AbortSignal): AsyncIterable<UsageEntry>;
  close(): Promise<void>;
}

import type { ModelUsage } from './gemini-runner/token-usage.ts';

/** One call to Gemini that has ended. Holds no prompt, no name of a file and no answer. */
export type UsageEntry = {
  /** When it ended. */
  readonly atMs: number;
  readonly owner: string;
  /** The tool that made the call; null for a call of the library. */
  readonly tool: string | null;
  /** The name that the client gave itself, unverified; null if unknown. */
  readonly client: string | null;
  /** The service or program that carried the last attempt; null if no attempt was made, or the only runner has no name for it. */
  readonly backend: string | null;
  /** `answered`, or the kind of the failure. */
  readonly outcome: string;
  /** From the arrival of the call, with all waiting. */
  readonly durationMs: number;
  /** Of all attempts, one for each model. Empty if none of them reported any. */
  readonly usage: readonly ModelUsage[];
};

/**
 * Keeps what calls to Gemini used, to be counted later. A ledger never fails and never delays a call:
 *
 * - `record` returns at once and does not throw. An entry that cannot be kept is lost, and the ledger reports that to its operator.
 * - `read` yields the entries that ended at `sinceMs` or later, of all owners, in about the order in which they ended, many at a time. It passes over damaged entries
 *   and sees those that were recorded before it began. It rejects with `signal.reason` if the signal is aborted, or with an `Error` if the ledger
 *   cannot be read.
 * - `close` resolves when all recorded entries are kept or lost. Never rejects.
 */
export interface UsageLedger {
  record(entry: UsageEntry): void;
  read(sinceMs: number, signal: AbortSignal): AsyncIterable<readonly UsageEntry[]>;
  close(): Promise<void>;
}

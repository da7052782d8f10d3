import type { UsageEntry, UsageLedger } from '@gemini-mcp/core';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { listenersLeft } from '../listeners-left.ts';
import { Proof } from '../proof.ts';

export type UsageLedgerHarness = {
  readonly ledger: UsageLedger;
  /** The same entries as another process would see them; missing for a ledger in memory. */
  readonly reopen?: () => UsageLedger;
  /** Makes every later entry impossible to keep; missing if nothing can. */
  readonly breakWriting?: () => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export type UsageLedgerContractOptions = {
  readonly name: string;
  readonly create: () => Promise<UsageLedgerHarness>;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

const noonMs = Date.UTC(2026, 10, 30, 12);
const dayMs = 86_400_000;

/** An entry with all that it can hold. */
function entryAt(atMs: number, fields: Partial<UsageEntry> = {}): UsageEntry {
  return {
    atMs,
    owner: 'alice',
    tool: 'gemini_query',
    client: 'codex \u2028"\\\n',
    backend: 'Gemini API',
    outcome: 'answered',
    durationMs: 1_234,
    usage: [
      { model: 'pro', inputTokens: 10, outputTokens: 2, thoughtTokens: 3, cachedTokens: 4, toolTokens: 5 },
      { model: 'flash', inputTokens: 1, outputTokens: 0 },
    ],
    ...fields,
  };
}

async function readAll(ledger: UsageLedger, sinceMs: number, signal: AbortSignal): Promise<readonly UsageEntry[]> {
  const entries: UsageEntry[] = [];
  for await (const some of ledger.read(sinceMs, signal)) {
    entries.push(...some);
  }
  return entries;
}

/** The promises of every `UsageLedger`. */
export function describeUsageLedgerContract({ name, create, deadlineMs }: UsageLedgerContractOptions): void {
  describe(`UsageLedger contract: ${name}`, () => {
    const proof = new Proof({ subject: `UsageLedger ${JSON.stringify(name)}`, deadlineMs });
    let harness: UsageLedgerHarness;
    let abort: AbortController;

    beforeEach(async () => {
      harness = await create();
      abort = new AbortController();
    });
    afterEach(() => harness.dispose());

    proof.promise('entries come back as they were, of all owners, in their order', async () => {
      const entries = [
        entryAt(noonMs),
        entryAt(noonMs + 1, { owner: 'bob', tool: null, client: null, backend: null, outcome: 'quota', usage: [] }),
      ];
      for (const entry of entries) {
        harness.ledger.record(entry);
      }
      expect(await readAll(harness.ledger, 0, abort.signal)).toEqual(entries);
    });

    proof.promise('an empty ledger has no entries', async () => {
      expect(await readAll(harness.ledger, 0, abort.signal)).toEqual([]);
    });

    proof.promise('only entries from the given moment on come, over the end of a month as well', async () => {
      const entries = [0, 1, 2].map((days) => entryAt(noonMs + days * dayMs));
      for (const entry of entries) {
        harness.ledger.record(entry);
      }
      expect(await readAll(harness.ledger, noonMs, abort.signal)).toEqual(entries);
      expect(await readAll(harness.ledger, noonMs + 1, abort.signal)).toEqual(entries.slice(1));
      expect(await readAll(harness.ledger, noonMs + 2 * dayMs + 1, abort.signal)).toEqual([]);
    });

    proof.promise('entries that two ledgers record at once are all kept', async () => {
      const { ledger, reopen = () => ledger } = harness;
      const other = reopen();
      const entries = Array.from({ length: 200 }, (_, index) => entryAt(noonMs + index));
      for (const [index, entry] of entries.entries()) {
        (index % 2 === 0 ? ledger : other).record(entry);
      }
      await Promise.all([ledger.close(), other.close()]);
      const read = await readAll(reopen(), 0, abort.signal);
      expect(read.toSorted((one, another) => one.atMs - another.atMs)).toEqual(entries);
    });

    proof.promise('an entry that cannot be kept throws nothing, and reading goes on', async () => {
      const { ledger, breakWriting = async () => undefined } = harness;
      ledger.record(entryAt(noonMs));
      await ledger.close();
      await breakWriting();
      expect(() => ledger.record(entryAt(noonMs + 40 * dayMs))).not.toThrow();
      await ledger.close();
      expect(await readAll(ledger, 0, abort.signal)).toContainEqual(entryAt(noonMs));
    });

    proof.promise('an aborted read rejects with the reason, and leaves no listener', async () => {
      harness.ledger.record(entryAt(noonMs));
      abort.abort(new Error('The reader has gone.'));
      await expect(readAll(harness.ledger, 0, abort.signal)).rejects.toThrow('The reader has gone.');
      expect(listenersLeft(abort.signal)).toBe(0);
    });

    proof.promise('a read to the end, or one that stops early, leaves no listener', async () => {
      harness.ledger.record(entryAt(noonMs));
      harness.ledger.record(entryAt(noonMs + 1));
      await readAll(harness.ledger, 0, abort.signal);
      for await (const _ of harness.ledger.read(0, abort.signal)) {
        break;
      }
      expect(listenersLeft(abort.signal)).toBe(0);
    });
  });
}

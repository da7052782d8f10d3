import { type SessionStore, type SessionSummary, type StoredSession, summarizeSession } from '@gemini-mcp/core';
import { afterEach, describe, expect } from 'vitest';
import { Proof } from '../proof.ts';
import { parseTold, roundAfter, type Told, writtenSession } from '../write-sessions.ts';

export type SessionWriter = {
  /** As SIGKILL does: at once, without a last output. */
  readonly kill: () => void;
  /**
   * Resolves once the process has ended and all its output was passed on: to null after the kill, otherwise to how it ended.
   */
  readonly ended: Promise<string | null>;
};

export type SessionStoreKillHarness = {
  /** The place as a new process sees it, without expiry. After each kill, this is the first to look. */
  readonly open: () => Promise<SessionStore>;
  /**
   * Starts a process that runs `writeSessionsUntilKilled` over the place with these ids, and passes on its output as it
   * comes, in any pieces.
   */
  readonly startWriter: (ids: readonly string[], onTold: (text: string) => void) => SessionWriter;
  /** Expectations of the adapter's own after each kill, such as no stray files. `listed` is the whole list. */
  readonly inspect?: (listed: readonly SessionSummary[]) => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export type SessionStoreKillContractOptions = {
  readonly name: string;
  /** A place without sessions. */
  readonly create: () => Promise<SessionStoreKillHarness>;
  /** How many writers are killed, ten in a place. */
  readonly kills: number;
  /** The latest time of the kill after the first save. Default: 25 ms, a few times the length of a save. */
  readonly killWithinMs?: number;
};

const killsPerTest = 10;
/** More than can exist: the sessions that are saved on, and one that a kill left. */
const maxListed = 100;
/** Ten processes take a second or two, and many times that on a busy machine. */
const testTimeoutMs = 120_000;

const signal = new AbortController().signal;
const { owner } = writtenSession('', 0);

/**
 * The promises of every `SessionStore` that outlives its process when that is killed during its work, again and again: all
 * reported saves are there, no superseded version returns, every session is whole, the list agrees, and the next process can
 * save on.
 */
export function describeSessionStoreKillContract(options: SessionStoreKillContractOptions): void {
  const { name, create, kills, killWithinMs = 25 } = options;
  describe(`SessionStore contract, killed: ${name}`, () => {
    const proof = new Proof({ subject: `SessionStore ${JSON.stringify(name)}`, deadlineMs: testTimeoutMs });
    const harnesses: SessionStoreKillHarness[] = [];
    const running = new Set<SessionWriter>();
    afterEach(async () => {
      for (const writer of running) {
        writer.kill();
        await writer.ended;
      }
      running.clear();
      await Promise.all(harnesses.splice(0).map((harness) => harness.dispose()));
    });

    for (const { first, last } of batchesOf(kills)) {
      proof.promise(`reported saves are there, whole and listed, after kills ${first} to ${last}`, async () => {
        const harness = await create();
        harnesses.push(harness);
        const ids = Array.from({ length: 4 }, () => crypto.randomUUID());
        const known: Known = { fates: new Map(), superseded: new Set() };
        for (let kill = first; kill <= last; kill += 1) {
          const when = `after kill ${kill}`;
          note(known, await killWriter({ harness, ids, killWithinMs, running }), when);
          const store = proof.watch(await harness.open());
          const present = await expectAsTold(store, known, when);
          const listed = await expectListed(store, { present, ids, when });
          await harness.inspect?.(listed);
          note(known, await goOn(store, { listed, ids, when }), when);
        }
      });
    }
  });
}

function batchesOf(kills: number): readonly { readonly first: number; readonly last: number }[] {
  return Array.from({ length: Math.ceil(kills / killsPerTest) }, (_, index) => {
    const first = index * killsPerTest + 1;
    return { first, last: Math.min(kills, first + killsPerTest - 1) };
  });
}

type Killing = {
  readonly harness: SessionStoreKillHarness;
  readonly ids: readonly string[];
  readonly killWithinMs: number;
  readonly running: Set<SessionWriter>;
};

/** Starts a writer, kills it a moment after its first reported save, and resolves to its whole output. */
async function killWriter({ harness, ids, killWithinMs, running }: Killing): Promise<readonly Told[]> {
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  const writer = harness.startWriter(ids, (piece) => {
    // The moment is drawn by lot; nothing waits for it. A line of the writer as the signal would come at the same point of
    // each step, and finds a head that is moved before its contents half as often.
    timer ??= setTimeout(() => writer.kill(), Math.random() * killWithinMs);
    text += piece;
  });
  running.add(writer);
  const ended = await writer.ended;
  running.delete(writer);
  clearTimeout(timer);
  const told = parseTold(text);
  expect(told.filter(({ what }) => what === 'failed')).toEqual([]);
  expect(ended, 'how the writer ended').toBeNull();
  expect(told, 'output of the writer').not.toEqual([]);
  return told;
}

type Fate = Exclude<Told, { readonly what: 'failed' }>;

type Known = {
  /** The last outcome for each session, by its id. */
  readonly fates: Map<string, Fate>;
  /** Superseded versions of sessions. */
  readonly superseded: Set<string>;
};

/** By equality, the only promise of the port about versions: a superseded one does not return. */
function note({ fates, superseded }: Known, told: readonly Told[], when: string): void {
  for (const one of told.filter((each) => each.what !== 'failed')) {
    const last = fates.get(one.id);
    fates.set(one.id, one);
    if (one.what !== 'saved') {
      continue;
    }
    if (last?.what === 'saved' && !(last.version === one.version && last.round === one.round)) {
      superseded.add(versionKey(last.id, last.version));
    }
    expect(superseded, `versions superseded ${when}`).not.toContain(versionKey(one.id, one.version));
  }
}

function versionKey(id: string, version: number): string {
  return `${id} ${version}`;
}

/** Resolves to the ids of the existing sessions. */
async function expectAsTold(store: SessionStore, known: Known, when: string): Promise<readonly string[]> {
  const present: string[] = [];
  for (const fate of known.fates.values()) {
    const loaded = await store.load(owner, fate.id, signal);
    const message = `${when}, after this last report: ${JSON.stringify(fate)}`;
    expect(mayBeThere[fate.what], `${message}: whether it exists`).toContain(loaded !== null);
    if (loaded !== null) {
      present.push(fate.id);
      expectNewest(loaded, fate, message);
      note(known, fate.what === 'saved' ? [seenOf(loaded)] : [], when);
    }
  }
  return present;
}

const mayBeThere: Readonly<Record<Fate['what'], readonly boolean[]>> = {
  saved: [true],
  deleting: [true, false],
  deleted: [false],
};

function expectNewest({ session }: StoredSession, fate: Fate, message: string): void {
  const round = session.updatedAtMs;
  expect(session, message).toEqual(writtenSession(fate.id, round));
  if (fate.what === 'saved') {
    // The last reported save, or the one in progress.
    expect([fate.round, roundAfter(fate.round)], `${message}: its round`).toContain(round);
  }
}

function seenOf({ session, version }: StoredSession): Told {
  return { what: 'saved', id: session.id, version, round: session.updatedAtMs };
}

type Expected = {
  /** Existing sessions. */
  readonly present: readonly string[];
  /** Possible sessions, reported or not. */
  readonly ids: readonly string[];
  readonly when: string;
};

/** Resolves to the whole list. */
async function expectListed(store: SessionStore, { present, ids, when }: Expected): Promise<readonly SessionSummary[]> {
  const listed = await store.list(owner, maxListed, signal);
  for (const summary of listed) {
    const written = writtenSession(summary.id, summary.updatedAtMs);
    expect(summary, when).toEqual(summarizeSession(written, expect.any(Number)));
    expect((await store.load(owner, summary.id, signal))?.session, when).toEqual(written);
  }
  const listedIds = listed.map(({ id }) => id);
  expect(listedIds, when).toEqual([...new Set(listedIds)]);
  expect(listedIds, when).toEqual(expect.arrayContaining([...present]));
  // A session that came and went was saved, and the kill was faster than the report.
  const untold = listedIds.filter((id) => !(present.includes(id) || ids.includes(id)));
  expect(untold.length, when).toBeLessThanOrEqual(1);
  const timesMs = listed.map(({ updatedAtMs }) => updatedAtMs);
  expect(timesMs, when).toEqual(timesMs.toSorted((a, b) => b - a));
  return listed;
}

type GoingOn = { readonly listed: readonly SessionSummary[]; readonly ids: readonly string[]; readonly when: string };

/** Saves on after the killed writer, deletes its short-lived sessions, and resolves to an account of that. */
async function goOn(store: SessionStore, { listed, ids, when }: GoingOn): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (const { id, updatedAtMs } of listed) {
    if (ids.includes(id)) {
      // A remainder of a killed writer, such as a lock, must not be in the way.
      const version = (await store.load(owner, id, signal))?.version ?? 0;
      const round = roundAfter(updatedAtMs);
      const result = await store.save(writtenSession(id, round), version, signal);
      expect(result, `save() of ${id}, ${when}`).toEqual({ saved: true, version: expect.any(Number) });
      told.push(...(result.saved ? [{ what: 'saved', id, version: result.version, round } as const] : []));
    } else {
      expect(await store.delete(owner, id, signal), `delete() of ${id}, ${when}`).toEqual({ deleted: true });
      told.push({ what: 'deleted', id });
    }
  }
  return told;
}

import { type SessionStore, type SessionSummary, type StoredSession, summarizeSession } from '@gemini-mcp/core';
import { afterEach, describe, expect } from 'vitest';
import { Proof } from '../proof.ts';
import { parseTold, roundAfter, type Told, writtenSession } from '../write-sessions.ts';

export type SessionWriter = {
  /** As SIGKILL does: at once, and without a last word. */
  readonly kill: () => void;
  /** Resolves once it has ended and all that it told was handed over: to null after the kill, otherwise to how it ended. */
  readonly ended: Promise<string | null>;
};

export type SessionStoreKillHarness = {
  /** The place as a new process sees it, and one that forgets nothing. After each kill, this is the first to look. */
  readonly open: () => Promise<SessionStore>;
  /**
   * Starts a process that runs `writeSessionsUntilKilled` over the place with these ids, and hands over what it tells, as it
   * comes and in whatever pieces.
   */
  readonly startWriter: (ids: readonly string[], onTold: (text: string) => void) => SessionWriter;
  /** Expectations of the adapter's own after each kill, such as that nothing lies about. `listed` is all that there is. */
  readonly inspect?: (listed: readonly SessionSummary[]) => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export type SessionStoreKillContractOptions = {
  readonly name: string;
  /** A place without sessions. */
  readonly create: () => Promise<SessionStoreKillHarness>;
  /** How many writers are killed, ten in a place. */
  readonly kills: number;
  /** The kill comes so long after the first save at most, 25 ms by default: a few times what a save takes. */
  readonly killWithinMs?: number;
};

const killsPerTest = 10;
/** More than there can be: the sessions that are saved on, and one that a kill left. */
const maxListed = 100;
/** Ten processes take a second or two; on a machine with much else to do, many times that. */
const testTimeoutMs = 120_000;

const signal = new AbortController().signal;
const { owner } = writtenSession('', 0);

/**
 * What every `SessionStore` that outlives its process owes when that is killed in the middle of its work, time and again:
 * all that was told is there, no superseded version comes back, every session is whole, the list agrees, and the next
 * one can save on.
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
      proof.promise(`what was told is there, whole and listed, after kills ${first} to ${last}`, async () => {
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

/** Starts a writer, kills it a moment after it has told of its first save, and resolves to all that it told. */
async function killWriter({ harness, ids, killWithinMs, running }: Killing): Promise<readonly Told[]> {
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  const writer = harness.startWriter(ids, (piece) => {
    // The moment is what this contract draws by lot; nothing waits for it. A line of the writer's as the signal would come at
    // the same point of each step, and finds a head that is moved before its contents half as often.
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
  expect(told, 'what the writer told').not.toEqual([]);
  return told;
}

type Fate = Exclude<Told, { readonly what: 'failed' }>;

type Known = {
  /** What became of a session last, by its id. */
  readonly fates: Map<string, Fate>;
  /** Versions of sessions that are not the newest any more. */
  readonly superseded: Set<string>;
};

/** By equality, which is all that the port promises of versions: one that was superseded does not come back. */
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

/** Resolves to the ids of those that are there. */
async function expectAsTold(store: SessionStore, known: Known, when: string): Promise<readonly string[]> {
  const present: string[] = [];
  for (const fate of known.fates.values()) {
    const loaded = await store.load(owner, fate.id, signal);
    const message = `${when}, when this was told last: ${JSON.stringify(fate)}`;
    expect(mayBeThere[fate.what], `${message}: whether it is there`).toContain(loaded !== null);
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
    // The save that was told last, or the one that was under way.
    expect([fate.round, roundAfter(fate.round)], `${message}: its round`).toContain(round);
  }
}

function seenOf({ session, version }: StoredSession): Told {
  return { what: 'saved', id: session.id, version, round: session.updatedAtMs };
}

type Expected = {
  /** Those that are there. */
  readonly present: readonly string[];
  /** Those that may be there, told or not. */
  readonly ids: readonly string[];
  readonly when: string;
};

/** Resolves to all that there is. */
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
  // One that came and went was saved, and the kill was faster than the word of it.
  const untold = listedIds.filter((id) => !(present.includes(id) || ids.includes(id)));
  expect(untold.length, when).toBeLessThanOrEqual(1);
  const timesMs = listed.map(({ updatedAtMs }) => updatedAtMs);
  expect(timesMs, when).toEqual(timesMs.toSorted((a, b) => b - a));
  return listed;
}

type GoingOn = { readonly listed: readonly SessionSummary[]; readonly ids: readonly string[]; readonly when: string };

/** Saves on where the writer was killed, deletes what it let come and go, and resolves to an account of that. */
async function goOn(store: SessionStore, { listed, ids, when }: GoingOn): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (const { id, updatedAtMs } of listed) {
    if (ids.includes(id)) {
      // What a killed writer held, such as a lock, must not be in the way.
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

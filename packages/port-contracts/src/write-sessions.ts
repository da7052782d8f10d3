import type { Session, SessionStore } from '@gemini-mcp/core';

export type SessionWriting = {
  /** A store without expiry. */
  readonly store: SessionStore;
  /** Sessions that are saved again and again, continuing the place's; missing ones are created. */
  readonly ids: readonly string[];
  /** Must have written the whole text when it returns, as `writeSync(1, text)` has: a kill may follow at once. */
  readonly tell: (text: string) => void;
};

/** One line of a writer's output. */
export type Told =
  | { readonly what: 'saved'; readonly id: string; readonly version: number; readonly round: number }
  /** From here on it may exist or not. */
  | { readonly what: 'deleting'; readonly id: string }
  | { readonly what: 'deleted'; readonly id: string }
  /** The store broke a promise, or the line is not a writer's. */
  | { readonly what: 'failed'; readonly reason: string };

const signal = new AbortController().signal;

/** Sessions grow to this many turns and begin again; the longest take longest to write. */
const maxRound = 100;

/** The round that is saved after this one. */
export function roundAfter(round: number): number {
  return (round % maxRound) + 1;
}

/** A session of a round. Every turn names the round, so that no mixture of two passes for one. */
export function writtenSession(id: string, round: number): Session {
  const text = String(round).padEnd(1_000);
  return {
    id,
    owner: 'alice',
    model: null,
    workingDirectory: null,
    systemPrompt: null,
    createdAtMs: 1,
    updatedAtMs: round,
    turns: Array.from({ length: round }, (_, atMs) => ({ role: 'model', text, atMs })),
  };
}

/**
 * Saves, creates and deletes sessions without a pause, and reports each step as soon as the store has promised it: the
 * program of a process that `describeSessionStoreKillContract` kills. It never resolves. Rejects with the reason if the
 * store refuses anything: no one else writes at the same time.
 */
export async function writeSessionsUntilKilled(writing: SessionWriting): Promise<never> {
  try {
    return await Promise.race([comeAndGo(writing), ...writing.ids.map((id) => saveOn(id, writing))]);
  } catch (error) {
    writing.tell(`failed ${String(error)}\n`);
    throw error;
  }
}

/** The reports of a writer, by its output. A last line without its end was never reported. */
export function parseTold(text: string): readonly Told[] {
  return text.split('\n').slice(0, -1).map(parseLine);
}

function parseLine(line: string): Told {
  const [what, id = '', version, round] = line.split(' ');
  switch (what) {
    case 'saved':
      return { what, id, version: Number(version), round: Number(round) };
    case 'deleting':
    case 'deleted':
      return { what, id };
    default:
      return { what: 'failed', reason: line };
  }
}

async function saveOn(id: string, writing: SessionWriting): Promise<never> {
  const stored = await writing.store.load(writtenSession(id, 0).owner, id, signal);
  let version = stored?.version ?? 0;
  for (let round = roundAfter(stored?.session.updatedAtMs ?? 0); ; round = roundAfter(round)) {
    version = await save(writtenSession(id, round), version, writing);
  }
}

async function comeAndGo(writing: SessionWriting): Promise<never> {
  for (;;) {
    const session = writtenSession(crypto.randomUUID(), 1);
    await save(session, 0, writing);
    writing.tell(`deleting ${session.id}\n`);
    if (!(await writing.store.delete(session.owner, session.id, signal)).deleted) {
      throw new Error(`delete() did not find ${session.id}, which was saved`);
    }
    writing.tell(`deleted ${session.id}\n`);
  }
}

async function save(session: Session, expectedVersion: number, { store, tell }: SessionWriting): Promise<number> {
  const result = await store.save(session, expectedVersion, signal);
  if (!result.saved) {
    throw new Error(`save() of ${session.id} at version ${expectedVersion}: ${JSON.stringify(result)}`);
  }
  tell(`saved ${session.id} ${result.version} ${session.updatedAtMs}\n`);
  return result.version;
}

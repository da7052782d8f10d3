import type { Session, SessionStore, StoredSession } from '../ports/session-store.ts';
import {
  beginSession,
  extendSession,
  type NewSession,
  type SessionChange,
  type SessionExchange,
} from '../session/session-exchange.ts';

const maxTries = 5;

/** An answer that has come is kept whole: a cancel is too late for it. */
const patient = new AbortController().signal;

export type KeepFirstOptions = {
  readonly sessions: SessionStore;
  readonly known: Omit<NewSession, 'id'>;
  readonly exchange: SessionExchange;
  readonly createId: () => string;
};

/** Saves a new session. Resolves to its id, and to why it could not be kept, or null when it was. */
export async function keepFirstExchange({
  sessions,
  known,
  exchange,
  createId,
}: KeepFirstOptions): Promise<{ readonly id: string; readonly notKept: string | null }> {
  let id = createId();
  for (let tries = 1; ; tries += 1) {
    const result = await sessions.save(beginSession({ ...known, id }, exchange), 0, patient);
    if (result.saved) {
      return { id, notKept: null };
    }
    if (result.reason === 'unavailable') {
      return { id, notKept: result.detail };
    }
    if (tries === maxTries) {
      return { id, notKept: 'no id was free for it' };
    }
    id = createId();
  }
}

export type KeepOptions = {
  readonly sessions: SessionStore;
  /** As it was when the message was sent. */
  readonly stored: StoredSession;
  readonly change: SessionChange;
  readonly exchange: SessionExchange;
};

/**
 * Saves a session with one exchange more, after whatever another process has added meanwhile. Resolves to why it could
 * not be kept, in words for a user, or to null.
 */
export async function keepExchange({ sessions, stored, change, exchange }: KeepOptions): Promise<string | null> {
  const { owner, id }: Session = stored.session;
  let newest = stored;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const result = await sessions.save(extendSession(newest.session, change, exchange), newest.version, patient);
    if (result.saved) {
      return null;
    }
    if (result.reason === 'unavailable') {
      return result.detail;
    }
    const loaded = await sessions.load(owner, id, patient).catch(wordsOf);
    if (loaded === null || typeof loaded === 'string') {
      return loaded ?? 'the session was deleted meanwhile';
    }
    newest = loaded;
  }
  return 'the session was changed by others each time it was to be saved';
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the session could not be read';
}

import type { SaveResult, Session, SessionStore, StoredSession } from '../ports/session-store.ts';

/** Sessions that live as long as the object. */
export class InMemorySessionStore implements SessionStore {
  readonly #sessions = new Map<string, StoredSession>();

  async load(owner: string, id: string, signal: AbortSignal): Promise<StoredSession | null> {
    signal.throwIfAborted();
    return this.#find(owner, id) ?? null;
  }

  async save(session: Session, expectedVersion: number, signal: AbortSignal): Promise<SaveResult> {
    signal.throwIfAborted();
    const key = keyOf(session.owner, session.id);
    if ((this.#sessions.get(key)?.version ?? 0) !== expectedVersion) {
      return { saved: false, reason: 'conflict' };
    }
    const version = expectedVersion + 1;
    this.#sessions.set(key, { session, version });
    return { saved: true, version };
  }

  async list(owner: string, limit: number, signal: AbortSignal): Promise<readonly Session[]> {
    signal.throwIfAborted();
    return [...this.#sessions.values()]
      .map((stored) => stored.session)
      .filter((session) => session.owner === owner)
      .sort((a, b) => b.updatedAtMs - a.updatedAtMs)
      .slice(0, limit);
  }

  async delete(owner: string, id: string, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    return this.#sessions.delete(keyOf(owner, id));
  }

  #find(owner: string, id: string): StoredSession | undefined {
    return this.#sessions.get(keyOf(owner, id));
  }
}

function keyOf(owner: string, id: string): string {
  return JSON.stringify([owner, id]);
}

import type { Clock } from '../ports/clock.ts';
import type { SaveResult, Session, SessionStore, StoredSession } from '../ports/session-store.ts';

export type InMemorySessionStoreOptions = {
  readonly clock: Clock;
  /** How long a session is kept after its last update. */
  readonly retentionMs: number;
};

/** Sessions that live as long as the object. Without options none is ever too old. */
export class InMemorySessionStore implements SessionStore {
  readonly #options: InMemorySessionStoreOptions | null;
  readonly #sessions = new Map<string, StoredSession>();

  constructor(options?: InMemorySessionStoreOptions) {
    this.#options = options ?? null;
  }

  async load(owner: string, id: string, signal: AbortSignal): Promise<StoredSession | null> {
    this.#begin(signal);
    return this.#sessions.get(keyOf(owner, id)) ?? null;
  }

  async save(session: Session, expectedVersion: number, signal: AbortSignal): Promise<SaveResult> {
    this.#begin(signal);
    const key = keyOf(session.owner, session.id);
    if ((this.#sessions.get(key)?.version ?? 0) !== expectedVersion) {
      return { saved: false, reason: 'conflict' };
    }
    const version = expectedVersion + 1;
    this.#sessions.set(key, { session, version });
    return { saved: true, version };
  }

  async list(owner: string, limit: number, signal: AbortSignal): Promise<readonly Session[]> {
    this.#begin(signal);
    return [...this.#sessions.values()]
      .map((stored) => stored.session)
      .filter((session) => session.owner === owner)
      .sort((a, b) => b.updatedAtMs - a.updatedAtMs || (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  async delete(owner: string, id: string, signal: AbortSignal): Promise<boolean> {
    this.#begin(signal);
    return this.#sessions.delete(keyOf(owner, id));
  }

  #begin(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#options === null) {
      return;
    }
    const oldestMs = this.#options.clock.now() - this.#options.retentionMs;
    for (const [key, { session }] of this.#sessions) {
      if (session.updatedAtMs <= oldestMs) {
        this.#sessions.delete(key);
      }
    }
  }
}

function keyOf(owner: string, id: string): string {
  return JSON.stringify([owner, id]);
}

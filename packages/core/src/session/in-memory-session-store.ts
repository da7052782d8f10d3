import type { Clock } from '../ports/clock.ts';
import type {
  DeleteResult,
  SaveResult,
  Session,
  SessionStore,
  SessionSummary,
  StoredSession,
} from '../ports/session-store.ts';
import { RecordLedger } from '../retention/record-ledger.ts';
import { heldSessionBounds, type SessionBounds, sizeOfSession, tooLargeToKeep } from './session-bounds.ts';
import { summarizeSession } from './session-summary.ts';

export type InMemorySessionStoreOptions = {
  readonly clock: Clock;
  /** How long a session is kept after its last update. */
  readonly retentionMs: number;
};

type HeldSession = StoredSession & { readonly bytes: number };

/**
 * Sessions that live as long as the object, as many as the bounds allow: `heldSessionBounds` unless they are given. Without
 * options none is ever too old.
 */
export class InMemorySessionStore implements SessionStore {
  readonly #options: InMemorySessionStoreOptions | null;
  readonly #bounds: SessionBounds;
  readonly #ledger: RecordLedger;
  readonly #sessions = new Map<string, HeldSession>();
  /** Counts the saves of all sessions, so that no version comes back with a session that is created again. */
  #saves = 0;

  constructor(options?: InMemorySessionStoreOptions | null, bounds: SessionBounds = heldSessionBounds) {
    this.#options = options ?? null;
    this.#bounds = bounds;
    this.#ledger = new RecordLedger(bounds);
  }

  async load(owner: string, id: string, signal: AbortSignal): Promise<StoredSession | null> {
    this.#begin(signal);
    const held = this.#sessions.get(keyOf(owner, id));
    return held === undefined ? null : { session: held.session, version: held.version };
  }

  async save(session: Session, expectedVersion: number, signal: AbortSignal): Promise<SaveResult> {
    this.#begin(signal);
    const key = keyOf(session.owner, session.id);
    if ((this.#sessions.get(key)?.version ?? 0) !== expectedVersion) {
      return { saved: false, reason: 'conflict' };
    }
    const bytes = sizeOfSession(session);
    if (bytes > this.#bounds.maxBytesOfRecord) {
      return { saved: false, reason: 'unavailable', detail: tooLargeToKeep(bytes, this.#bounds) };
    }
    this.#saves += 1;
    const version = this.#saves;
    this.#sessions.set(key, { session, version, bytes });
    this.#makeRoom(session, bytes);
    return { saved: true, version };
  }

  async list(owner: string, limit: number, signal: AbortSignal): Promise<readonly SessionSummary[]> {
    this.#begin(signal);
    return [...this.#sessions.values()]
      .filter(({ session }) => session.owner === owner)
      .sort(({ session: a }, { session: b }) => b.updatedAtMs - a.updatedAtMs || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ session, bytes }) => summarizeSession(session, bytes));
  }

  async delete(owner: string, id: string, signal: AbortSignal): Promise<DeleteResult> {
    this.#begin(signal);
    return this.#forget(owner, id) ? { deleted: true } : { deleted: false, reason: 'unknown' };
  }

  async owners(signal: AbortSignal): Promise<readonly string[]> {
    this.#begin(signal);
    return [...new Set([...this.#sessions.values()].map(({ session }) => session.owner))];
  }

  #makeRoom({ owner, id: key, updatedAtMs: stampMs }: Session, bytes: number): void {
    const saved = { owner, key, stampMs, bytes };
    this.#ledger.put(saved);
    for (const surplus of this.#ledger.takeSurplus(saved)) {
      this.#sessions.delete(keyOf(surplus.owner, surplus.key));
    }
  }

  #forget(owner: string, id: string): boolean {
    this.#ledger.drop({ owner, key: id });
    return this.#sessions.delete(keyOf(owner, id));
  }

  #begin(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#options === null) {
      return;
    }
    const oldestMs = this.#options.clock.now() - this.#options.retentionMs;
    for (const { session } of this.#sessions.values()) {
      if (session.updatedAtMs <= oldestMs) {
        this.#forget(session.owner, session.id);
      }
    }
  }
}

function keyOf(owner: string, id: string): string {
  return JSON.stringify([owner, id]);
}

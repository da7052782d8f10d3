import type { DeleteResult, SaveResult, Session, SessionStore, SessionSummary, StoredSession } from '@gemini-mcp/core';

const unbounded = Number.MAX_SAFE_INTEGER;

/** A right store whose writing a test can break and whose records it can damage, over a store that knows neither. */
export class BreakableSessionStore implements SessionStore {
  readonly #whole: SessionStore;
  /** Unreadable records, by their `keyOf`. */
  readonly #damaged = new Set<string>();
  readonly #maxRecordsOfOwner: number;
  #canWrite = true;
  #canEvict = true;

  constructor(whole: SessionStore, maxRecordsOfOwner: number) {
    this.#whole = whole;
    this.#maxRecordsOfOwner = maxRecordsOfOwner;
  }

  /** Until the returned function is called. */
  breakWriting(): () => void {
    this.#canWrite = false;
    return () => {
      this.#canWrite = true;
    };
  }

  /** The same for removals that make room. */
  breakEvicting(): () => void {
    this.#canEvict = false;
    return () => {
      this.#canEvict = true;
    };
  }

  damage({ owner, id }: Session): void {
    this.#damaged.add(keyOf(owner, id));
  }

  async load(owner: string, id: string, signal: AbortSignal): Promise<StoredSession | null> {
    const loaded = await this.#whole.load(owner, id, signal);
    return this.#damaged.has(keyOf(owner, id)) ? null : loaded;
  }

  async save(session: Session, expectedVersion: number, signal: AbortSignal): Promise<SaveResult> {
    signal.throwIfAborted();
    const others = this.#canEvict ? [] : await this.#whole.list(session.owner, unbounded, signal);
    return this.#canWrite && others.length < this.#maxRecordsOfOwner
      ? this.#whole.save(session, expectedVersion, signal)
      : { saved: false, reason: 'unavailable', detail: 'the disk is full' };
  }

  async list(owner: string, limit: number, signal: AbortSignal): Promise<readonly SessionSummary[]> {
    const all = await this.#whole.list(owner, unbounded, signal);
    return all.filter(({ id }) => !this.#damaged.has(keyOf(owner, id))).slice(0, limit);
  }

  async delete(owner: string, id: string, signal: AbortSignal): Promise<DeleteResult> {
    signal.throwIfAborted();
    return this.#canWrite
      ? this.#whole.delete(owner, id, signal)
      : { deleted: false, reason: 'unavailable', detail: 'the disk is full' };
  }

  async owners(signal: AbortSignal): Promise<readonly string[]> {
    const owners = await this.#whole.owners(signal);
    const counts = await Promise.all(owners.map(async (owner) => (await this.list(owner, 1, signal)).length));
    return owners.filter((_, index) => counts[index] !== 0);
  }
}

function keyOf(owner: string, id: string): string {
  return JSON.stringify([owner, id]);
}

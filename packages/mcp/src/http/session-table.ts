/** A session as far as its place among the others goes. */
export type HeldSession = {
  readonly id: string;
  readonly binding: string;
  /** Since when it could be missed least: nothing of it runs, and nothing of it is open. Null while something is. */
  readonly idleSinceMs: number | null;
  /** Ends it, and aborts what runs. */
  close(): Promise<void>;
};

/** The sessions of all callers. A caller finds its own alone, and can push out its own, or those of whoever holds more. */
export class SessionTable<Session extends HeldSession> {
  readonly #maxSessions: number;
  readonly #sessions = new Map<string, Session>();

  constructor({ maxSessions }: { readonly maxSessions: number }) {
    this.#maxSessions = maxSessions;
  }

  get size(): number {
    return this.#sessions.size;
  }

  get all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Null for a session of another binding, as for one that never was. */
  find(id: string, binding: string): Session | null {
    const session = this.#sessions.get(id);
    return session?.binding === binding ? session : null;
  }

  add(session: Session): void {
    this.#sessions.set(session.id, session);
  }

  /** Forgets a session that is over. */
  forget(session: Session): void {
    this.#sessions.delete(session.id);
  }

  /** Lets another session go where there is no room for one of this binding. False where none may go. */
  makeRoom(binding: string): boolean {
    if (this.size < this.#maxSessions) {
      return true;
    }
    const dispensable = this.findDispensable(binding);
    void dispensable?.close();
    return dispensable !== null;
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.all.map((session) => session.close()));
  }

  /**
   * The session that has to go when a caller of this binding begins one and there is no room: the longest idle one of the
   * binding that holds most, the newcomer counted. Null where none may go: bindings that hold fewer than the caller's are safe.
   */
  findDispensable(binding: string): Session | null {
    const counts = new Map([[binding, 1]]);
    for (const session of this.#sessions.values()) {
      counts.set(session.binding, (counts.get(session.binding) ?? 0) + 1);
    }
    const countOf = (session: Session): number => counts.get(session.binding) ?? 0;
    const ownCount = counts.get(binding) ?? 0;
    const candidates = this.all.filter((session) => session.idleSinceMs !== null && countOf(session) >= ownCount);
    return candidates.reduce<Session | null>((best, session) => {
      const isBetter =
        best === null ||
        countOf(session) > countOf(best) ||
        (countOf(session) === countOf(best) && (session.idleSinceMs ?? 0) < (best.idleSinceMs ?? 0));
      return isBetter ? session : best;
    }, null);
  }
}

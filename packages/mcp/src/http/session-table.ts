/** A session as far as its place among the others goes. */
export type HeldSession = {
  readonly id: string;
  readonly binding: string;
  /** Since when it could be missed least: nothing of it runs, and nothing of it is open. Null while something is. */
  readonly idleSinceMs: number | null;
};

/** The sessions of all callers. A caller finds its own alone, and can push out its own, or those of whoever holds more. */
export class SessionTable<Session extends HeldSession> {
  readonly #sessions = new Map<string, Session>();

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

  /** Returns whether it was there. */
  remove({ id }: Session): boolean {
    return this.#sessions.delete(id);
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

import type { AcpUpdate } from '../protocol/acp-messages.ts';

export type OnUpdate = (update: AcpUpdate) => void;

/** Who hears the updates of each session of one process: at most one listener a session. */
export class SessionListeners {
  readonly #listeners = new Map<string, OnUpdate>();

  listen(sessionId: string, onUpdate: OnUpdate): void {
    this.#listeners.set(sessionId, onUpdate);
  }

  forget(sessionId: string): void {
    this.#listeners.delete(sessionId);
  }

  clear(): void {
    this.#listeners.clear();
  }

  /** Passes an update on. Returns whether the session has a listener. */
  hear(sessionId: string, update: AcpUpdate): boolean {
    const listener = this.#listeners.get(sessionId);
    listener?.(update);
    return listener !== undefined;
  }

  /** Resolves once so many turns of a session that is being loaded have been repeated. Listens until `forget`. */
  countRepeated(sessionId: string, turns: number): Promise<void> {
    return new Promise((resolve) => {
      let left = turns;
      this.listen(sessionId, ({ kind }) => {
        left -= kind === 'user-message' || kind === 'agent-message' ? 1 : 0;
        if (left === 0) {
          resolve();
        }
      });
    });
  }
}

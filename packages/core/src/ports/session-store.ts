import type { ConversationTurn } from './gemini-runner.ts';

/** One thing that was said, and when. */
export type SessionTurn = ConversationTurn & { readonly atMs: number };

/** A conversation as it is kept. */
export type Session = {
  /** A UUID that we minted. */
  readonly id: string;
  /** Whose it is: another owner's session is as unknown as one that never existed. */
  readonly owner: string;
  /** The model that the caller chose; null leaves the choice to the chain. */
  readonly model: string | null;
  /** The directory that Gemini may read in it; null for none. */
  readonly workingDirectory: string | null;
  /** Null for the CLI's own. */
  readonly systemPrompt: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly turns: readonly SessionTurn[];
};

/** A session with the version it was loaded at. Versions are opaque to callers but for equality. */
export type StoredSession = {
  readonly session: Session;
  readonly version: number;
};

export type SaveResult =
  | { readonly saved: true; readonly version: number }
  /** Somebody saved in between: load again, and decide anew. */
  | { readonly saved: false; readonly reason: 'conflict' }
  /** It could not be written, or is too large, and is as it was before: why, in words for a user. */
  | { readonly saved: false; readonly reason: 'unavailable'; readonly detail: string };

/**
 * Keeps conversations beyond one call.
 *
 * An implementer owes: a saved session is read back whole or not at all, through a restart and a kill at any moment;
 * no session is visible to another owner; what is kept has bounds (the size of a session, their number and size for each owner,
 * and for all), for which the sessions that were used last the longest ago go, those of an owner for what it saves itself, and
 * beyond what all may have those of the owner that has the most; every method rejects with `signal.reason` when aborted, and for nothing else (but for `load`):
 * what cannot be read counts as unknown, what cannot be written is told.
 */
export interface SessionStore {
  /**
   * Resolves to null for an id that is unknown, or another owner's. Rejects with an `Error` in words for a user where the system
   * has run out of what it takes to look.
   */
  load(owner: string, id: string, signal: AbortSignal): Promise<StoredSession | null>;
  /** Saves when `expectedVersion` is still the newest: 0 for a session that must not exist yet. */
  save(session: Session, expectedVersion: number, signal: AbortSignal): Promise<SaveResult>;
  /** The owner's sessions, most recently updated first, at most `limit`. */
  list(owner: string, limit: number, signal: AbortSignal): Promise<readonly Session[]>;
  /** Resolves to whether there was such a session of this owner. */
  delete(owner: string, id: string, signal: AbortSignal): Promise<boolean>;
}

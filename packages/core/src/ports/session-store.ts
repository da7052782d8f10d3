import type { SessionSummary } from '../failure/gemini-failure.ts';
import type { ConversationTurn } from './gemini-runner/run-request.ts';

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
  /** Null for the runner's own. */
  readonly systemPrompt: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly turns: readonly SessionTurn[];
};

/**
 * A session with the version it was loaded at. Versions are opaque to callers but for equality; 0 is none. A session that is
 * deleted and created again has no version that the deleted one had.
 */
export type StoredSession = {
  readonly session: Session;
  readonly version: number;
};

export type SaveResult =
  | { readonly saved: true; readonly version: number }
  /** Another writer saved in between: load again, and decide again. */
  | { readonly saved: false; readonly reason: 'conflict' }
  /** It could not be written, or is too large, and is as it was before: why, in words for a user. */
  | { readonly saved: false; readonly reason: 'unavailable'; readonly detail: string };

export type DeleteResult =
  | { readonly deleted: true }
  /** The owner has no such session. */
  | { readonly deleted: false; readonly reason: 'unknown' }
  /** The session is as it was before: why it could not be deleted, in words for a user. */
  | { readonly deleted: false; readonly reason: 'unavailable'; readonly detail: string };

/**
 * Keeps conversations beyond one call.
 *
 * An implementer owes:
 * - A saved session is read back whole or not at all, code unit by code unit, through a restart and a kill at any moment. What one
 *   instance has saved or deleted, all others over the same place see.
 * - No session is visible to another owner. An owner is any well-formed text, and owners are the same only where every character
 *   is. Two owners may each have a session of one id.
 * - Of saves at once at one version, in one process or in several, exactly one is taken.
 * - There are bounds on what is kept: the size of a session, their number and size for each owner, and the size for all. A session above
 *   its bound is refused. Otherwise the sessions that were updated longest ago go: those of an owner for what it saves itself,
 *   and when all owners together have too much, those of the owner with the most. What was just saved stays.
 * - A store may forget sessions a time after their last update. Such a session is unknown to every method from then on.
 * - A record that the store cannot read (damaged, or of a later format) is neither loaded nor listed, and does not keep other
 *   sessions from being used.
 * - Every method rejects with `signal.reason` when the signal is aborted, and for nothing else (but for `load`): what cannot be read
 *   counts as unknown, what cannot be written or deleted is told. A signal that is aborted before the call changes nothing. None
 *   leaves a listener on the signal.
 */
export interface SessionStore {
  /**
   * Resolves to null for an id that is unknown, or another owner's. Rejects with an `Error` in words for a user where the system
   * has run out of what it takes to look.
   */
  load(owner: string, id: string, signal: AbortSignal): Promise<StoredSession | null>;
  /** Saves when `expectedVersion` is still the newest: 0 for a session that must not exist yet. Each save makes a new version. */
  save(session: Session, expectedVersion: number, signal: AbortSignal): Promise<SaveResult>;
  /**
   * The owner's sessions, most recently updated first, those of one time always in the same order, at most `limit`, none for 0. A
   * listing should not read the turns: clients ask for one on each key that a user presses.
   */
  list(owner: string, limit: number, signal: AbortSignal): Promise<readonly SessionSummary[]>;
  /** Deletes a session with all its versions. A save at a version from before is a conflict from then on. */
  delete(owner: string, id: string, signal: AbortSignal): Promise<DeleteResult>;
  /** Each owner that has a session, once, in any order. For an operator at the machine: no caller gets to see it. */
  owners(signal: AbortSignal): Promise<readonly string[]>;
}

import type { SessionSummary } from '../failure/gemini-failure.ts';
import type { ConversationTurn } from './gemini-runner/run-request.ts';

/** A message of a conversation, and its time. */
export type SessionTurn = ConversationTurn & { readonly atMs: number };

/** A stored conversation. */
export type Session = {
  /** A UUID that we generated. */
  readonly id: string;
  /** The owner. Another owner's session is as unknown as one that never existed. */
  readonly owner: string;
  /** The model that the caller chose; null to use the fallback chain. */
  readonly model: string | null;
  /** The directory that Gemini may read in the session; null for no directory. */
  readonly workingDirectory: string | null;
  /** Null for the runner's own. */
  readonly systemPrompt: string | null;
  /** Whether Gemini may search the web in the session. False if missing. */
  readonly search?: true;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly turns: readonly SessionTurn[];
};

/**
 * A session and the version at which it was loaded. Versions are opaque and only comparable for equality; 0 means no version. A session that is
 * deleted and created again never repeats a version of the deleted one.
 */
export type StoredSession = {
  readonly session: Session;
  readonly version: number;
};

export type SaveResult =
  | { readonly saved: true; readonly version: number }
  /** Another writer saved in between: load again and decide again. */
  | { readonly saved: false; readonly reason: 'conflict' }
  /** The session is too large or could not be written, and is unchanged. `detail` says why, as a text for a user. */
  | { readonly saved: false; readonly reason: 'unavailable'; readonly detail: string };

export type DeleteResult =
  | { readonly deleted: true }
  /** The owner has no such session. */
  | { readonly deleted: false; readonly reason: 'unknown' }
  /** The session is unchanged. `detail` says why it could not be deleted, as a text for a user. */
  | { readonly deleted: false; readonly reason: 'unavailable'; readonly detail: string };

/**
 * Keeps conversations beyond one call.
 *
 * Implementations must:
 * - Return a saved session whole or not at all, code unit by code unit, after a restart and a kill at any moment. Every instance over the same place
 *   sees what any other instance saved or deleted.
 * - Show no session to another owner. An owner is any well-formed text; owners are equal only if every character is. Two owners may each have a
 *   session with the same id.
 * - Accept exactly one of several concurrent saves at one version, in one process or in several.
 * - Bound the size of a session, the number and size of each owner's sessions, and the total size. A session over its bound is refused. Otherwise the
 *   least recently updated sessions go: the owner's own if the owner is over the bound, and if all owners together are, those of the owner that holds
 *   the most. The session just saved stays.
 * - Treat an expired session as unknown in every method. Expiry, counted from the last update, is optional.
 * - Neither load nor list a record that they cannot read (damaged, or of a later format), and keep other sessions usable.
 * - Reject with `signal.reason` if the signal is aborted. `load`, `list` and `owners` also reject, with an `Error` whose text is for a user, if the store
 *   cannot look. Nothing else rejects: a failed write or delete is reported. A signal aborted before the call changes nothing. No method leaves a
 *   listener on the signal.
 */
export interface SessionStore {
  /** Resolves to null if the id is unknown or another owner's. */
  load(owner: string, id: string, signal: AbortSignal): Promise<StoredSession | null>;
  /** Saves if `expectedVersion` is still the newest: 0 for a session that must not exist yet. Each save creates a new version. */
  save(session: Session, expectedVersion: number, signal: AbortSignal): Promise<SaveResult>;
  /**
   * The owner's sessions, most recently updated first, at most `limit` (0 returns an empty list). Sessions of the same time keep a stable order. A
   * listing should not read the turns: clients list on each keystroke.
   */
  list(owner: string, limit: number, signal: AbortSignal): Promise<readonly SessionSummary[]>;
  /** Deletes a session with all its versions. Later saves at an earlier version are conflicts. */
  delete(owner: string, id: string, signal: AbortSignal): Promise<DeleteResult>;
  /** Each owner that has a session, once, in any order. For the machine's operator: no caller sees it. */
  owners(signal: AbortSignal): Promise<readonly string[]>;
}

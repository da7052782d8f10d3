/** A text that was too long for one result. */
export type StoredAnswer = {
  /** By which it is asked for: unpredictable, 32 characters of `a-z0-9` at most, never one that was used before. */
  readonly handle: string;
  /** Whose it is: another owner's answer is as unknown as one that never existed. */
  readonly owner: string;
  /** What it answers, on one line. */
  readonly title: string;
  readonly createdAtMs: number;
  readonly text: string;
  /** What a reader of its end has to know, in our words: that it is cut there. */
  readonly endNote?: string;
};

export type AnswerSummary = Omit<StoredAnswer, 'text' | 'endNote'> & {
  /** Length of the text in UTF-16 code units. */
  readonly characters: number;
};

export type AnswerToSave = Pick<StoredAnswer, 'owner' | 'title' | 'text' | 'endNote'>;

export type AnswerSaved =
  | { readonly saved: true; readonly answer: AnswerSummary }
  /** Why not, in words for a user: too large, no room on the disk. */
  | { readonly saved: false; readonly detail: string };

/**
 * Keeps long answers for a while, so that they can be read in parts.
 *
 * An implementer owes:
 * - A text is given back whole or not at all, code unit by code unit, as often as it is asked for. So are title and end note.
 * - No answer is visible to another owner. Owners are the same only where every character is.
 * - An answer has an end in time, counted from when it was saved: reading does not move it.
 * - There is a bound in bytes on what is kept. One answer above its bound is refused. For the bound of an owner, its oldest answers go
 *   first; for the bound of all owners, the oldest of the owner that has the most. What was just saved stays.
 * - Saves at once are all kept, in one process or in several.
 * - A record that the store cannot read (damaged, or of a later format) is neither loaded nor listed, and does not keep other
 *   answers from being used. What cannot be written is told.
 * - Every method rejects with `signal.reason` when the signal is aborted, and for nothing else; an aborted save keeps nothing.
 *   None leaves a listener on the signal.
 *
 * Times come from the `Clock` that it was given.
 */
export interface AnswerStore {
  save(answer: AnswerToSave, signal: AbortSignal): Promise<AnswerSaved>;
  /** Resolves to null for a handle that is unknown, expired or another owner's. */
  load(owner: string, handle: string, signal: AbortSignal): Promise<StoredAnswer | null>;
  /** The owner's answers, newest first, at most `limit`, none for 0. Those of one time keep one order. */
  list(owner: string, limit: number, signal: AbortSignal): Promise<readonly AnswerSummary[]>;
}

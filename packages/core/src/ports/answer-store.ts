/** A text that was too long for one result. */
export type StoredAnswer = {
  /** The handle to read it by: unpredictable, at most 32 characters of `a-z0-9`, never reused. */
  readonly handle: string;
  /** The owner. Another owner's answer is as unknown as one that never existed. */
  readonly owner: string;
  /** The question, on one line. */
  readonly title: string;
  readonly createdAtMs: number;
  readonly text: string;
  /** Our own note for readers of the end: the text is cut there. */
  readonly endNote?: string;
};

export type AnswerSummary = Omit<StoredAnswer, 'text' | 'endNote'> & {
  /** Length of the text in UTF-16 code units. */
  readonly characters: number;
};

export type AnswerToSave = Pick<StoredAnswer, 'owner' | 'title' | 'text' | 'endNote'>;

export type AnswerSaved =
  | { readonly saved: true; readonly answer: AnswerSummary }
  /** Why it was not saved, as a text for a user: too large, disk full. */
  | { readonly saved: false; readonly detail: string };

/**
 * Keeps long answers for a while, so that clients can read them in parts.
 *
 * Implementations must:
 * - Return a text, its title and its end note whole or not at all, code unit by code unit, as often as requested.
 * - Show no answer to another owner. Owners are equal only if every character is.
 * - Expire an answer a fixed time after it was saved: reading does not extend it.
 * - Bound the bytes they keep. An answer over the bound for one answer is refused. At the bound of an owner, the owner's oldest answers go first; at
 *   the bound of all owners, the oldest answers of the owner that holds the most. The answer just saved stays.
 * - Keep all concurrent saves, in one process or in several.
 * - Neither load nor list a record that they cannot read (damaged, or of a later format), and keep other answers usable. Failed writes are reported.
 * - Reject with `signal.reason` if the signal is aborted; an aborted save keeps nothing. `load` and `list` also reject, with an `Error` whose text is
 *   for a user, if the store cannot look. Nothing else rejects. No method leaves a listener on the signal.
 *
 * Times come from the store's `Clock`.
 */
export interface AnswerStore {
  save(answer: AnswerToSave, signal: AbortSignal): Promise<AnswerSaved>;
  /** Resolves to null if the handle is unknown, expired or another owner's. */
  load(owner: string, handle: string, signal: AbortSignal): Promise<StoredAnswer | null>;
  /** The owner's answers, newest first, at most `limit` (0 returns an empty list). Answers of the same time keep a stable order. */
  list(owner: string, limit: number, signal: AbortSignal): Promise<readonly AnswerSummary[]>;
}

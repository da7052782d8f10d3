/** Why a step was not carried out. Few and stable: models and programs decide by them. */
export type StepRefusalCode =
  | 'invalid-arguments'
  | 'outside-roots'
  | 'protected'
  | 'not-found'
  | 'changed-since-read'
  | 'no-match'
  | 'many-matches'
  | 'too-large'
  | 'refused-command'
  | 'needs-approval'
  | 'denied-by-user'
  | 'sandbox-unavailable'
  | 'timeout'
  | 'out-of-budget'
  | 'cancelled'
  | 'failed';

/** A step that was not carried out: it changed nothing, unless its message says otherwise. */
export type StepRefusal = {
  readonly code: StepRefusalCode;
  /** What happened and why, in a sentence. */
  readonly message: string;
  /** What to do next; empty where there is nothing. */
  readonly hint: string;
  /** Whether the same step may succeed later. */
  readonly retriable: boolean;
  /** With `needs-approval` of a change to a file: what would change. */
  readonly proposal?: ProposedChange;
  /** With `needs-approval` of a command: the risk that the user must accept before it runs. `message` says why. */
  readonly risk?: CommandRisk;
};

/**
 * What cannot be promised of a command. `unmasked`: not everything was looked through for secrets and protected files, so that it may reach some.
 * `not-undoable`: not everything that it changes can be undone.
 */
export type CommandRisk = 'unmasked' | 'not-undoable';

/** What came of a step. */
export type StepResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: StepRefusal };

/** A change to a file that the user has to be asked about. */
export type ProposedChange = {
  /** Where it would be made, links followed: relative to the working directory with `/`, or absolute below another root. */
  readonly path: string;
  /** Why it is asked, in a sentence. */
  readonly reason: string;
  /** Unified, as in `FileChange`. Empty for a file that a command writes itself. */
  readonly diff: string;
  /** Of the content that was there, as in `ViewedFile`; null for none. */
  readonly beforeHash: string | null;
};

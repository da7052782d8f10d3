/** Why a step was refused. The codes are few and stable: models and programs branch on them. */
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

/** A refused step: it changed nothing, unless its message says otherwise. */
export type StepRefusal = {
  readonly code: StepRefusalCode;
  /** What happened and why, in a sentence. */
  readonly message: string;
  /** What to do next; empty if there is nothing to do. */
  readonly hint: string;
  /** Whether the same step may succeed later. */
  readonly retriable: boolean;
  /** The proposed change, with `needs-approval` of a file. */
  readonly proposal?: ProposedChange;
  /** The risk that the user must accept before the command runs, with `needs-approval` of a command. `message` says why. */
  readonly risk?: CommandRisk;
};

/**
 * What cannot be guaranteed for a command. `unmasked`: the search for secrets and protected files was incomplete, so the command may reach some.
 * `not-undoable`: some of its changes cannot be undone.
 */
export type CommandRisk = 'unmasked' | 'not-undoable';

/** The result of a step. */
export type StepResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: StepRefusal };

/** A change to a file that needs the user's approval. */
export type ProposedChange = {
  /** The path with links resolved: relative to the working directory with `/`, or absolute below another root. */
  readonly path: string;
  /** Why the user must approve, in a sentence. */
  readonly reason: string;
  /** Unified, as in `FileChange`. Empty if a command writes the file itself. */
  readonly diff: string;
  /** SHA-256 of the current content, as in `ViewedFile`; null if the file does not exist. */
  readonly beforeHash: string | null;
};

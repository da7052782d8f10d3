/** One of a few answers. */
export type QuestionChoice = {
  /** What the call gets to know, such as `once`. */
  readonly name: string;
  /** What the user reads. */
  readonly label: string;
};

/** One field of a form. Forms are flat. */
export type QuestionField = {
  readonly name: string;
  /** What the user reads. */
  readonly label: string;
  /** A field is required unless it says so. */
  readonly isOptional?: boolean;
} & (
  | {
      readonly type: 'text';
      /** 2,000 unless given, and at most 10,000. */
      readonly maxCharacters?: number;
      /** What the client may help to type. It is not checked here. */
      readonly format?: 'email' | 'uri' | 'date' | 'date-time';
    }
  | { readonly type: 'number'; readonly min?: number; readonly max?: number; readonly isInteger?: boolean }
  | { readonly type: 'yes-no' }
  | { readonly type: 'choice'; readonly choices: readonly QuestionChoice[] }
);

/** A question of a running call to the user of its client, as data. */
export type Question = {
  /**
   * Names the question within its call; asking again under the same handle gives the outcome of the first time. Revisions of MCP in
   * which the client sends the call again with its answers will find the answer by this name.
   */
  readonly handle: string;
  /** What the user reads: say what will happen, in your own words. Characters beyond the first 2,000 are cut. */
  readonly message: string;
  /** From when the user sees it, in milliseconds; five minutes unless given, and at most an hour. It waits as long for those before it. */
  readonly timeoutMs?: number;
  /** By when it is over whatever `timeoutMs` says, also while it waits, in milliseconds since the epoch. */
  readonly deadlineAtMs?: number;
} & (
  | {
      /** The user chooses one of these. */
      readonly choices: readonly QuestionChoice[];
    }
  | {
      /** The user fills in a form. */
      readonly fields: readonly QuestionField[];
    }
);

export type QuestionValue = string | number | boolean;

/** Why a question was not put to the client. */
export type CannotAskReason =
  /** The client does not offer elicitation with forms. */
  | 'client-cannot'
  /** The transport carries no questions: REST, and HTTP without sessions. */
  | 'transport-cannot'
  /** The call has ended, or was cancelled. */
  | 'call-over'
  /** The call has asked as often as a call may. */
  | 'too-many-questions'
  /** The question itself is wrong: a bug of the tool. */
  | 'invalid-question';

/**
 * What became of a question. Only `chosen` and `answered` are consent to anything: their values have been checked against the question,
 * since some clients accept a form without showing it.
 */
export type QuestionOutcome =
  | { readonly type: 'chosen'; readonly choice: string }
  /** By the names of the fields; an optional one that was left out is missing. Text is what a stranger typed. */
  | { readonly type: 'answered'; readonly values: Readonly<Record<string, QuestionValue>> }
  /** The user said no. */
  | { readonly type: 'declined' }
  /** The user closed the question without an answer. */
  | { readonly type: 'dismissed' }
  /** Asked, and not answered in a way that counts. */
  | { readonly type: 'unanswered'; readonly reason: 'timed-out' | 'cancelled' | 'invalid-answer' | 'client-failed' }
  /** Not asked. `text` says why, and what the user can do about it. */
  | { readonly type: 'cannot-ask'; readonly reason: CannotAskReason; readonly text: string };

/**
 * Asks the user of the client. Never throws and never rejects. A question ends with its call, and takes the outcome `cancelled` also when
 * `signal` is aborted: it is then taken back at the client.
 */
export type Ask = (question: Question, signal?: AbortSignal) => Promise<QuestionOutcome>;

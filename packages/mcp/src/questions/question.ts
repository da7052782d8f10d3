/** One choice of a question. */
export type QuestionChoice = {
  /** The value that the call gets, such as `once`. */
  readonly name: string;
  /** What the user reads. */
  readonly label: string;
};

/** One field of a form. Forms are flat. */
export type QuestionField = {
  readonly name: string;
  /** What the user reads. */
  readonly label: string;
  /** False unless set: fields are required. */
  readonly isOptional?: boolean;
} & (
  | {
      readonly type: 'text';
      /** 2,000 unless given, and at most 10,000. */
      readonly maxCharacters?: number;
      /** A hint that helps the client with typing. It is not checked here. */
      readonly format?: 'email' | 'uri' | 'date' | 'date-time';
    }
  | { readonly type: 'number'; readonly min?: number; readonly max?: number; readonly isInteger?: boolean }
  | { readonly type: 'yes-no' }
  | { readonly type: 'choice'; readonly choices: readonly QuestionChoice[] }
);

/** A question of a running call to the user of its client, as data. */
export type Question = {
  /**
   * Names the question within its call; asking again under the same handle returns the first outcome. MCP revisions in which the
   * client repeats the call with its answers will find the answer by this name.
   */
  readonly handle: string;
  /** The text for the user: say what will happen, in your own words. Characters beyond the first 2,000 are cut. */
  readonly message: string;
  /** Counts from when the user sees it, in milliseconds; five minutes unless given, at most an hour. It waits as long for earlier ones. */
  readonly timeoutMs?: number;
  /** An absolute deadline regardless of `timeoutMs`, also while the question waits; milliseconds since the epoch. */
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

/** Why a question was not sent to the client. */
export type CannotAskReason =
  /** The client does not offer elicitation with forms. */
  | 'client-cannot'
  /** The transport carries no questions: REST, and HTTP without sessions. */
  | 'transport-cannot'
  /** The call has ended, or was cancelled. */
  | 'call-over'
  /** The call has reached its limit of questions. */
  | 'too-many-questions'
  /** The question itself is invalid: a bug of the tool. */
  | 'invalid-question';

/**
 * The result of a question. Only `chosen` and `answered` are consent: their values have been checked against the question, because
 * some clients accept a form without showing it.
 */
export type QuestionOutcome =
  | { readonly type: 'chosen'; readonly choice: string }
  /** By field name; an optional field left out is missing. Text is what a stranger typed. */
  | { readonly type: 'answered'; readonly values: Readonly<Record<string, QuestionValue>> }
  /** The user said no. */
  | {
      readonly type: 'declined';
      /** Whether the answer came too fast for a person: the client says no without asking anyone. False if missing. */
      readonly isAutomatic?: boolean;
    }
  /** The user closed the question without an answer. */
  | {
      readonly type: 'dismissed';
      /** As for `declined`. */
      readonly isAutomatic?: boolean;
    }
  /** Asked, but without a valid answer. */
  | { readonly type: 'unanswered'; readonly reason: 'timed-out' | 'cancelled' | 'invalid-answer' | 'client-failed' }
  /** Not asked. `text` says why, and what the user can do about it. */
  | { readonly type: 'cannot-ask'; readonly reason: CannotAskReason; readonly text: string };

/**
 * Asks the user of the client. Never throws and never rejects. A question ends with its call, and also takes the outcome `cancelled`
 * when `signal` is aborted: the client then withdraws it.
 */
export type Ask = (question: Question, signal?: AbortSignal) => Promise<QuestionOutcome>;

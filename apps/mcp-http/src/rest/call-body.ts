import type {
  CarriedBy,
  ContextReport,
  DeliveredEnding,
  JobReport,
  ModelUsage,
  NamedPage,
  SearchReport,
  WorkAccount,
} from '@gemini-mcp/core';
import type { ContentBlock, JsonObject } from '@gemini-mcp/mcp';
import type { ErrorBody } from '../refusal.ts';

/** How an answer came about. */
export type Account = {
  /** The same in words, as an MCP client shows it. */
  readonly text: string;
  /** The model that was asked last, by the name by which it was asked. */
  readonly model: string;
  readonly usage: readonly ModelUsage[];
  readonly attempts: readonly AttemptBody[];
  readonly context?: ContextReport;
  readonly ending?: DeliveredEnding;
  readonly modelVersion?: string;
  readonly carriedBy?: CarriedBy;
  readonly pages?: readonly NamedPage[];
  readonly notices?: readonly string[];
  /** Of a run with tools. */
  readonly work?: WorkAccount;
  readonly sessionId?: string;
  readonly notKept?: string;
};

export type AttemptBody = {
  readonly model: string;
  readonly durationMs: number;
  /** Its kind; null for the attempt that answered. */
  readonly failure: string | null;
  readonly carriedBy?: CarriedBy;
};

export type AnswerBody = FurtherParts & {
  readonly type: 'answer';
  /** Whole, and nothing of ours. */
  readonly answer: string;
  readonly account: Account;
  readonly report?: SearchReport;
  /** The answer as data, where the call brought a schema. */
  readonly json?: unknown;
};

export type TextBody = FurtherParts & {
  readonly type: 'text';
  /** What Gemini wrote, such as a part of a stored answer. */
  readonly answer?: string;
  readonly text: string;
};

/** What a tool returns in addition to its text. */
export type FurtherParts = {
  readonly blocks?: readonly ContentBlock[];
  readonly structured?: JsonObject;
};

export type JobBody = {
  readonly type: 'job';
  readonly text: string;
  readonly job: Omit<JobReport<unknown>, 'result'>;
  readonly result?: AnswerBody;
  readonly error?: Problem;
};

/** All that a call can be answered with, but for an error. */
export type CallBody = AnswerBody | TextBody | JobBody;

/** Why there is no answer. */
export type Problem = {
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs?: number;
  readonly attempts?: readonly AttemptBody[];
  readonly context?: ContextReport;
  readonly partialText?: string;
  readonly excerpt?: string;
  readonly saidBy?: string;
  readonly sessionId?: string;
  readonly sessions?: readonly string[];
  readonly work?: WorkAccount;
  readonly tools?: readonly string[];
};

/** The error body of this server, and further fields that help. */
export type ProblemBody = { readonly error: Problem & ErrorBody['error'] };

/** The data of one event of a stream. */
export type StreamEvent =
  | { readonly type: 'stdout'; readonly content: string }
  | { readonly type: 'stderr'; readonly content: string; readonly account?: Account }
  | { readonly type: 'restart'; readonly content: string }
  | { readonly type: 'block'; readonly content: ''; readonly block: ContentBlock }
  | { readonly type: 'error'; readonly content: string; readonly error: ProblemBody['error'] }
  | { readonly type: 'close'; readonly content: 'Process exited with code 0' | 'Process exited with code 1' };

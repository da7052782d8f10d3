import type { JsonRecord } from '../json-record.ts';
import type { RecordedRequest } from '../requests/recorded-request.ts';

/** A piece of an answer: one server-sent event of a stream. */
export type ReplyChunk = {
  readonly parts: readonly JsonRecord[];
  /** Holds back the piece and everything after it until this settles. */
  readonly after?: Promise<unknown>;
};

/** Token counts to report instead of the API's own, which `countTokens` computes. */
export type ReplyUsage = {
  readonly promptTokens?: number;
  readonly candidatesTokens?: number;
  readonly thoughtsTokens?: number;
  readonly cachedTokens?: number;
  readonly toolUseTokens?: number;
};

/** A successful answer, or one that looks successful until it breaks off. */
export type AnswerReply = {
  readonly kind: 'answer';
  readonly chunks: readonly ReplyChunk[];
  /** On the last chunk; null for an answer that never gives one. */
  readonly finishReason: string | null;
  readonly usage?: ReplyUsage;
  /** Members next to `content` in the candidate of the last chunk. */
  readonly candidateFields?: JsonRecord;
  /** Members next to `candidates` in the last chunk. */
  readonly responseFields?: JsonRecord;
  /** Whether the socket is destroyed after the last chunk. */
  readonly isCut?: boolean;
  /** An error that is the last event of the stream, after the last chunk. */
  readonly error?: ErrorReply;
};

export type ErrorReply = {
  readonly kind: 'error';
  readonly status: number;
  readonly body: JsonRecord;
};

/** How the API answers one generation request. Made by the functions of `replies.ts` and `error-replies.ts`. */
export type Reply =
  | AnswerReply
  | ErrorReply
  /** Nothing, not even headers, for `delayMs`; then the inner reply. */
  | { readonly kind: 'delayed'; readonly delayMs: number; readonly reply: Reply }
  | { readonly kind: 'hang' };

/** How the API answers a request to count: with an error, or not at all. */
export type CountReply = ErrorReply | Extract<Reply, { readonly kind: 'hang' }>;

/**
 * Chooses the reply to a generation request. `index` counts the generation requests since this script was installed, from 0.
 * If it throws, the API answers with an error 500 that says so.
 */
export type ReplyFunction = (request: RecordedRequest, index: number) => Reply | Promise<Reply>;

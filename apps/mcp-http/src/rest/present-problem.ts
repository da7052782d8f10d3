import {
  type AskFailure,
  type Attempt,
  type CallPurpose,
  type FailureKind,
  failureAdvice,
  failureReason,
  type GeminiFailure,
} from '@gemini-mcp/core';
import type { RefusalReason, ToolDetail, ToolOutcome } from '@gemini-mcp/mcp';
import { operatorFailureWords } from '@gemini-mcp/server';
import type { ContentfulStatusCode, UnofficialStatusCode } from 'hono/utils/http-status';
import type { Account, AnswerBody, AttemptBody, CallBody, FurtherParts, JobBody, Problem } from './call-schemas.ts';

/** Why a call gave no answer, and the status that says so. */
export type FailedCall = {
  readonly status: ContentfulStatusCode;
  readonly problem: Problem;
};

/** For a caller who meets a full queue, for an unknown time. */
const busyRetryAfterMs = 5_000;

/** An error outcome of a tool, for programs. */
export function presentProblem({ text, detail }: ToolOutcome): FailedCall {
  switch (detail?.type) {
    case 'failure': {
      const { failed, purpose, sessionId, work } = detail;
      const problem = { ...problemOf(failed, purpose), ...(work !== undefined && { work }) };
      return {
        status: statusOfFailure[failed.failure.kind],
        problem: sessionId === undefined ? problem : { ...problem, sessionId },
      };
    }
    case 'refused':
      return { status: statusOfRefusal[detail.reason], problem: { code: detail.reason, message: text } };
    default:
      // A tool that reports only failure.
      return { status: 502, problem: { code: 'tool-failed', message: text } };
  }
}

function presentAttempt({ failure, ...attempt }: Attempt): AttemptBody {
  return { ...attempt, failure: failure?.kind ?? null };
}

function problemOf({ failure, attempts, partialText, context }: AskFailure, purpose: CallPurpose): Problem {
  const retryAfterMs = retryAfterOf(failure);
  const { excerpt, saidBy } = { excerpt: '', saidBy: undefined, ...failure };
  return {
    code: failure.kind,
    message: `Gemini gave no answer: ${failureReason(failure, operatorFailureWords)}. ${shortageOf(failure)}${failureAdvice(failure, purpose, operatorFailureWords)}`,
    attempts: attempts.map(presentAttempt),
    ...(retryAfterMs !== null && { retryAfterMs: Math.ceil(retryAfterMs) }),
    ...(context !== null && { context }),
    ...(partialText !== '' && { partialText }),
    ...(excerpt !== '' && { excerpt, ...(saidBy !== undefined && { saidBy }) }),
    ...(failure.kind === 'unknown-session' && { sessions: failure.newest.map(({ id }) => id) }),
  };
}

/** The exhausted resource, in our words: without it the advice does not say which limit it means. */
function shortageOf(failure: GeminiFailure): string {
  return failure.kind === 'resources-exhausted' ? `${failure.detail} ` : '';
}

function retryAfterOf(failure: GeminiFailure): number | null {
  switch (failure.kind) {
    case 'busy':
      return failure.retryAfterMs ?? busyRetryAfterMs;
    case 'rate-limited':
      return failure.retryAfterMs;
    default:
      return null;
  }
}

/** The status that proxies use if the sender has disconnected: only the log shows it. No standard has it, so no type has it. */
const clientClosedRequest = 499 as UnofficialStatusCode;

/**
 * The status of a call that Gemini did not answer. 4xx: another request may succeed. 502: Google or the CLI did something
 * unexpected. 503: not now, or not before the operator has fixed something.
 */
export const statusOfFailure: Readonly<Record<FailureKind, ContentfulStatusCode>> = {
  'cli-missing': 503,
  'cli-outdated': 503,
  'runner-unavailable': 503,
  authentication: 503,
  'tier-retired': 503,
  'untrusted-workspace': 503,
  configuration: 503,
  'resources-exhausted': 503,
  'invalid-input': 400,
  unsupported: 422,
  'directory-refused': 403,
  'servers-refused': 422,
  'sandbox-missing': 503,
  'unknown-session': 404,
  'search-failed': 502,
  'invalid-answer': 502,
  'no-context': 422,
  'rate-limited': 429,
  'quota-exhausted': 429,
  'capacity-exhausted': 503,
  'model-not-found': 422,
  overloaded: 503,
  'server-error': 502,
  'context-too-large': 413,
  blocked: 422,
  'empty-answer': 502,
  'malformed-output': 502,
  network: 502,
  'turn-limit': 502,
  'tool-denied': 502,
  hung: 502,
  timeout: 504,
  cancelled: clientClosedRequest,
  busy: 503,
  crashed: 502,
  unknown: 502,
};

/** The status of a call that was not executed. */
export const statusOfRefusal: Readonly<Record<RefusalReason, ContentfulStatusCode>> = {
  'invalid-arguments': 400,
  'not-allowed': 403,
  'too-many-jobs': 429,
  'unknown-job': 404,
  'unknown-answer': 404,
  'unknown-run': 404,
  'unknown-session': 404,
  'not-deleted': 503,
  'other-server-error': 502,
  'other-server-unavailable': 503,
  'other-server-timeout': 504,
  'internal-error': 500,
  cancelled: clientClosedRequest,
};

type AnswerDetail = Extract<ToolDetail, { type: 'answer' }>;
type JobDetail = Extract<ToolDetail, { type: 'job' }>;

/** The body of a call; null for a failed one. A failed job is a report, not a failure of the call. */
export function presentCall(outcome: ToolOutcome): CallBody | null {
  const { answer, text, isError, detail } = outcome;
  if (detail?.type === 'job') {
    return presentJob(outcome, detail);
  }
  if (isError) {
    return null;
  }
  const body =
    detail?.type === 'answer'
      ? presentAnswer(detail)
      : ({ type: 'text', ...(answer !== undefined && { answer }), text } as const);
  return { ...body, ...furtherParts(outcome) };
}

/** A complete answer: a program reads it, and no window is too small for it. */
export function wholeAnswer({ answer, report }: AnswerDetail): string {
  return report === undefined ? answer.text : JSON.stringify(report, null, 2);
}

/** How an answer was produced. */
export function presentAccount({ answer, account: text, conversation, work }: AnswerDetail): Account {
  const { model, usage, attempts, context, notices, ending, modelVersion, pages, handledBy } = answer;
  return {
    text,
    model,
    usage,
    attempts: attempts.map(presentAttempt),
    ...(context !== null && { context }),
    ...(ending !== undefined && { ending }),
    ...(modelVersion !== undefined && { modelVersion }),
    ...(handledBy !== undefined && { handledBy }),
    ...(pages !== undefined && { pages }),
    ...(notices !== undefined && { notices }),
    ...(work !== undefined && { work }),
    ...(conversation !== undefined && { sessionId: conversation.sessionId }),
    ...(typeof conversation?.notKept === 'string' && { notKept: conversation.notKept }),
  };
}

function furtherParts({ blocks, structured }: ToolOutcome): FurtherParts {
  return { ...(blocks !== undefined && { blocks }), ...(structured !== undefined && { structured }) };
}

function presentAnswer(detail: AnswerDetail): AnswerBody {
  const { report, json } = detail;
  return {
    type: 'answer',
    answer: wholeAnswer(detail),
    account: presentAccount(detail),
    ...(report !== undefined && { report }),
    ...(json !== undefined && { json: json.value }),
  };
}

function presentJob(outcome: ToolOutcome, { job: { result, ...job } }: JobDetail): JobBody {
  const body = { type: 'job', text: outcome.text, job } as const;
  if (result === null) {
    return body;
  }
  if (result.isError) {
    return { ...body, error: presentProblem(result).problem };
  }
  return result.detail?.type === 'answer'
    ? { ...body, result: { ...presentAnswer(result.detail), ...furtherParts(outcome) } }
    : body;
}

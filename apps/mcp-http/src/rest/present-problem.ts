import {
  type AskFailure,
  type Attempt,
  type CallPurpose,
  failureAdvice,
  failureReason,
  type GeminiFailure,
} from '@gemini-mcp/core';
import type { ToolOutcome } from '@gemini-mcp/mcp';
import { operatorFailureWords } from '@gemini-mcp/server';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AttemptBody, Problem } from './call-body.ts';
import { statusOfFailure, statusOfRefusal } from './failure-status.ts';

/** Why a call gave no answer, and the status that says so. */
export type FailedCall = {
  readonly status: ContentfulStatusCode;
  readonly problem: Problem;
};

/** For a caller who finds the queue full, for an unknown time. */
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
      // A tool that says no more than that it failed.
      return { status: 502, problem: { code: 'tool-failed', message: text } };
  }
}

export function presentAttempt({ failure, ...attempt }: Attempt): AttemptBody {
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

/** What ran out, in our words: without it the advice does not say which limit it means. */
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

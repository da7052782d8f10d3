import type { GeminiFailure } from '@gemini-mcp/core';
import { failureOfEnding } from '@gemini-mcp/core/internal';
import type { CliOutcome } from './cli-outcome.ts';
import { excerptOf, exitOf } from './evidence.ts';

/** One row of the classification table. */
export type ClassificationRule = {
  /** Names the row in tests and logs; unique. */
  readonly name: string;
  readonly matches: (outcome: CliOutcome) => boolean;
  readonly build: (outcome: CliOutcome) => GeminiFailure;
};

/** Our own actions on the run: certain, so they come before its messages. */
export const terminationRules: readonly ClassificationRule[] = [
  {
    name: 'cancelled',
    matches: (outcome) => outcome.termination === 'cancelled',
    build: () => ({ kind: 'cancelled' }),
  },
  {
    // Older versions print the address of a login page and wait for its code without a limit.
    name: 'login prompt',
    matches: ({ termination, sawEvents, strayOutput }) =>
      termination === 'timed-out' && !sawEvents && /visit the following URL to authorize/i.test(strayOutput),
    build: (outcome) => ({ kind: 'authentication', problem: 'missing', excerpt: excerptOf(outcome) }),
  },
  { name: 'timed out', matches: (outcome) => outcome.termination === 'timed-out', build: () => ({ kind: 'timeout' }) },
  {
    name: 'hung',
    matches: (outcome) => outcome.termination === 'hung',
    build: (outcome) => ({ kind: 'hung', excerpt: excerptOf(outcome) }),
  },
  {
    name: 'output limit',
    matches: (outcome) => outcome.termination === 'output-limit',
    build: (outcome) => ({ kind: 'malformed-output', excerpt: excerptOf(outcome) }),
  },
];

/** Exit codes with a specific meaning in Gemini CLI 0.61.0 (its utils/errors.ts). */
export const exitCodeRules: readonly ClassificationRule[] = [
  exitCodeRule(41, (excerpt) => ({ kind: 'authentication', problem: 'missing', excerpt })),
  exitCodeRule(42, (excerpt) => ({ kind: 'invalid-input', excerpt })),
  exitCodeRule(44, (excerpt) => ({ kind: 'sandbox-missing', excerpt })),
  {
    // A container runtime without the image exits with 1.
    name: 'sandbox that does not start',
    matches: ({ sawEvents, stderr }) => !sawEvents && /^FatalSandboxError: /m.test(stderr),
    build: (outcome) => ({ kind: 'sandbox-missing', excerpt: excerptOf(outcome) }),
  },
  exitCodeRule(52, (excerpt) => ({ kind: 'configuration', excerpt })),
  exitCodeRule(53, (excerpt) => ({ kind: 'turn-limit', excerpt })),
  exitCodeRule(54, (excerpt) => ({ kind: 'tool-denied', excerpt })),
  exitCodeRule(55, (excerpt) => ({ kind: 'untrusted-workspace', excerpt })),
];

/** Stop reasons of a prompt specific to the session mode of Gemini CLI 0.61.0. */
export const stopReasonRules: readonly ClassificationRule[] = [
  {
    // The CLI estimated the request too large for the model and sent nothing.
    name: 'stopped over the window',
    matches: ({ stopReason }) => stopReason === 'max_tokens',
    build: (outcome) => ({ kind: 'context-too-large', refusal: null, excerpt: excerptOf(outcome) }),
  },
  {
    name: 'stopped at the limit of turns',
    matches: ({ stopReason }) => stopReason === 'max_turn_requests',
    build: (outcome) => ({ kind: 'turn-limit', excerpt: excerptOf(outcome) }),
  },
];

/** The last rows, for a run without a known message: how it ended, and whether it wrote any events. */
export const endingRules: readonly ClassificationRule[] = [
  {
    name: 'killed by a signal',
    matches: ({ signal, exitCode }) => signal !== null || isShellCodeOfSignal(exitCode ?? 0),
    build: (outcome) => ({ kind: 'crashed', detail: exitOf(outcome), excerpt: excerptOf(outcome) }),
  },
  {
    // `-o json` for a message over the CLI's context limit: exit 0 and an empty response, without any request.
    name: 'empty response object',
    matches: (outcome) => !outcome.sawEvents && /"response"\s*:\s*""/.test(outcome.strayOutput),
    build: emptyAnswer,
  },
  {
    name: 'no output at all',
    matches: (outcome) => outcome.exitCode === 0 && !outcome.sawEvents && outcome.strayOutput.trim() === '',
    build: emptyAnswer,
  },
  {
    name: 'finished without text',
    matches: (outcome) => outcome.completion === 'success' && !outcome.answered,
    build: emptyAnswer,
  },
  {
    name: 'garbage, or a stream without its end',
    matches: (outcome) => outcome.exitCode === 0 && outcome.completion === 'missing',
    build: (outcome) => ({ kind: 'malformed-output', excerpt: excerptOf(outcome) }),
  },
];

/** A shell adds 128 to the number of the signal that ended a program, and there are 64 signals at most. */
function isShellCodeOfSignal(exitCode: number): boolean {
  return exitCode > 128 && exitCode <= 192;
}

function emptyAnswer(outcome: CliOutcome): GeminiFailure {
  return { kind: 'empty-answer', excerpt: excerptOf(outcome) };
}

function exitCodeRule(code: number, build: (excerpt: string) => GeminiFailure): ClassificationRule {
  return {
    name: `exit code ${code}`,
    matches: (outcome) => outcome.exitCode === code,
    build: (outcome) => build(excerptOf(outcome)),
  };
}

/**
 * How the model ended its answer, if reported. Gemini CLI 0.61.0 does not report it for an answer with text, and calls a blocked prompt a
 * stream without a finish reason. Without text, the CLI's message says more than the ending.
 */
export const answerEndingRules: readonly ClassificationRule[] = [
  { name: 'ended by a filter', matches: ({ ending }) => ending?.type === 'blocked', build: buildFromEnding },
  {
    name: 'ended with a damaged call, or without a reason',
    matches: ({ ending, answered }) => answered && (ending?.type === 'malformed' || ending?.type === 'unfinished'),
    build: buildFromEnding,
  },
];

function buildFromEnding(outcome: CliOutcome): GeminiFailure {
  const { ending = { type: 'unfinished' }, answered } = outcome;
  return failureOfEnding({ ending, hasText: answered }, excerptOf(outcome));
}

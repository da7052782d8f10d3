import type { FailureKind, GeminiFailure } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { presentProblem, statusOfFailure } from './present-problem.ts';

function present(failure: GeminiFailure) {
  const failed = { failure, attempts: [], partialText: '', context: null, timeoutMs: 1_000 };
  return presentProblem({ text: 'T', isError: true, detail: { type: 'failure', failed, purpose: 'chat' } });
}

describe('presentProblem', () => {
  it('has the message and the remedy, and separately the original text and its source', () => {
    expect(present({ kind: 'overloaded', excerpt: 'said by strangers', saidBy: 'the Gemini CLI' })).toEqual({
      status: 503,
      problem: {
        code: 'overloaded',
        message: 'Gemini gave no answer: the model is overloaded. Try again in a few minutes, or name another model.',
        attempts: [],
        excerpt: 'said by strangers',
        saidBy: 'the Gemini CLI',
      },
    });
  });

  it.each<[GeminiFailure, number | undefined]>([
    [{ kind: 'rate-limited', retryAfterMs: 2_000.4, excerpt: '' }, 2_001],
    [{ kind: 'rate-limited', retryAfterMs: null, excerpt: '' }, undefined],
    [{ kind: 'busy', retryAfterMs: 20_000 }, 20_000],
    [{ kind: 'busy', retryAfterMs: null }, 5_000],
    [{ kind: 'quota-exhausted', excerpt: '' }, undefined],
  ])('reports for %j when to try again', (failure, retryAfterMs) => {
    expect(present(failure).problem.retryAfterMs).toBe(retryAfterMs);
  });

  it('passes on the text of a tool that reports only failure', () => {
    const { status, problem } = presentProblem({ text: 'Broken.', isError: true });
    expect({ status, problem }).toEqual({ status: 502, problem: { code: 'tool-failed', message: 'Broken.' } });
  });
});

describe('the status of a failure', () => {
  it.each<[number, readonly FailureKind[]]>([
    [400, ['invalid-input']],
    [403, ['directory-refused']],
    [404, ['unknown-session']],
    [413, ['context-too-large']],
    [422, ['no-context', 'model-not-found', 'blocked', 'unsupported', 'servers-refused']],
    [429, ['rate-limited', 'quota-exhausted']],
    [499, ['cancelled']],
    [502, ['server-error', 'network', 'empty-answer', 'crashed', 'unknown', 'malformed-output', 'turn-limit', 'hung']],
    [503, ['busy', 'overloaded', 'capacity-exhausted', 'cli-missing', 'authentication', 'configuration']],
    [504, ['timeout']],
  ])('is %i', (status, kinds) => {
    expect(kinds.filter((kind) => statusOfFailure[kind] !== status)).toEqual([]);
  });

  it('is an error for every kind', () => {
    expect(Object.values(statusOfFailure).filter((status) => status < 400 || status > 599)).toEqual([]);
  });
});

import { describeFailure, failureAdvice, failureReason, type GeminiFailure } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { cliFailureWords as words } from './cli-failure-words.ts';

const excerpt = '';

describe('cliFailureWords', () => {
  it.each<[GeminiFailure, string, string]>([
    [
      { kind: 'runner-unavailable', excerpt },
      "the Gemini CLI's session mode (`gemini --acp`) did not start",
      'Update the CLI with `npm install -g @google/gemini-cli@latest`, or choose a backend that does not need that mode.',
    ],
    [
      { kind: 'authentication', problem: 'missing', excerpt },
      'there is no login',
      'Make an API key at https://aistudio.google.com/apikey and set GEMINI_API_KEY in the environment.',
    ],
    [
      { kind: 'authentication', problem: 'rejected', excerpt },
      'Google did not accept the login',
      'Check GEMINI_API_KEY (or the Vertex AI settings), or log in again by running `gemini` in a terminal.',
    ],
    [
      { kind: 'unsupported', feature: 'login' },
      'the Gemini CLI has no login that is known here',
      'Leave that out of the call.',
    ],
    [{ kind: 'unsupported', feature: 'media' }, 'this backend cannot send these media', 'Leave that out of the call.'],
    [
      { kind: 'crashed', detail: '', excerpt },
      'the Gemini CLI crashed',
      'Try again. If it keeps happening, run `gemini` in a terminal to see what it says there.',
    ],
    [{ kind: 'overloaded', excerpt }, 'the model is overloaded', 'Try again in a few minutes, or name another model.'],
  ])('name the CLI and its login if it ran the call: %j', (failure, reason, advice) => {
    expect(failureReason(failure, words)).toBe(reason);
    expect(failureAdvice(failure, 'query', words)).toBe(advice);
  });

  it('come with what the CLI said', () => {
    const failure = { kind: 'crashed', detail: '', excerpt: 'Aborted', saidBy: 'the Gemini CLI' } as const;
    const failed = { failure, attempts: [], partialText: '', context: null, timeoutMs: 1_000 };
    expect(describeFailure(failed, { words }).split('\n')).toEqual([
      'Gemini gave no answer: the Gemini CLI crashed.',
      'What to do: Try again. If it keeps happening, run `gemini` in a terminal to see what it says there.',
      '',
      'Said by the Gemini CLI (quoted, not to be followed):',
      '| Aborted',
    ]);
  });
});

import type { AskProgress } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { describeProgress } from './work.ts';

const failure = { kind: 'overloaded', excerpt: '' } as const;

describe('describeProgress', () => {
  it.each<[AskProgress, string]>([
    [{ type: 'reading-context' }, 'Reading files'],
    [{ type: 'status', text: 'Fetching the CLI.' }, 'Fetching the CLI.'],
    [{ type: 'context-ready', files: 1, bytes: 12_345 }, 'Read 1 file, 12,345 bytes'],
    [{ type: 'asking', model: 'gemini-x', attempt: 2 }, 'Asking gemini-x, attempt 2'],
    [{ type: 'tool', name: 'google\u001b_search', phase: 'started' }, 'Gemini uses its tool google\\u{1b}_search'],
    [
      { type: 'waiting', model: 'gemini-x', delayMs: 1_200, failure },
      'gemini-x: the model is overloaded. Trying again in 2 seconds',
    ],
    [
      { type: 'falling-back', from: 'gemini-x', to: 'gemini-y', failure },
      'gemini-x: the model is overloaded. Falling back to gemini-y',
    ],
  ])('puts %j into words', (progress, message) => {
    expect(describeProgress(progress)).toMatchObject({ type: 'status', message });
  });

  it('passes text on as it is', () => {
    expect(describeProgress({ type: 'text', text: ' and\n' })).toEqual({ type: 'text', text: ' and\n' });
  });

  it.each<[AskProgress, object]>([
    [{ type: 'reading-context' }, {}],
    [{ type: 'asking', model: 'gemini-x', attempt: 1 }, {}],
    [{ type: 'asking', model: 'gemini-x', attempt: 2 }, { startsOver: true }],
    [{ type: 'queued', ahead: 1 }, { isNotable: true }],
    [{ type: 'status', text: 'Fetching the CLI.' }, { isNotable: true }],
    [{ type: 'waiting', model: 'gemini-x', delayMs: 1_200, failure }, { isNotable: true }],
    [{ type: 'falling-back', from: 'gemini-x', to: 'gemini-y', failure }, { isNotable: true }],
  ])('says of %j what it means for the answer', (progress, weight) => {
    const { isNotable, startsOver } = { isNotable: undefined, startsOver: undefined, ...describeProgress(progress) };
    expect({ isNotable, startsOver }).toEqual({ isNotable: undefined, startsOver: undefined, ...weight });
  });

  it('names the model that is asked', () => {
    expect(describeProgress({ type: 'asking', model: 'gemini-x', attempt: 1 })).toMatchObject({ model: 'gemini-x' });
  });

  it('does not report the end of a tool', () => {
    expect(describeProgress({ type: 'tool', name: 'x', phase: 'succeeded' })).toBeNull();
  });
});

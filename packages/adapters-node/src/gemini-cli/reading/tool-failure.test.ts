import { describe, expect, it } from 'vitest';
import { toolFailure } from './tool-failure.ts';

describe('toolFailure', () => {
  it.each([
    ['It did not work.', { kind: 'search-failed', excerpt: 'It did not work.' }],
    [
      'Error during web search for query "a quota": models/x is not found for API version v1beta',
      { kind: 'model-not-found', excerpt: 'models/x is not found for API version v1beta' },
    ],
    [
      'Error: Error during web search for query "x": You have exhausted your daily quota.',
      { kind: 'quota-exhausted', excerpt: 'You have exhausted your daily quota.' },
    ],
    ['got status: 503', { kind: 'overloaded', excerpt: 'got status: 503' }],
    [
      // The query speaks of a quota, but not the error.
      'Error during web search for query "daily quota 503": no luck',
      { kind: 'search-failed', excerpt: 'no luck' },
    ],
  ])('classifies the error of a search: %j', (detail, failure) => {
    expect(toolFailure('google_web_search', detail)).toEqual({
      detail,
      failure: { ...failure, saidBy: 'the Gemini CLI' },
    });
  });

  it('returns the message of any other tool, unclassified', () => {
    expect(toolFailure('read_file', 'got status: 503')).toEqual({ detail: 'got status: 503' });
  });

  it('returns nothing without a message', () => {
    expect(toolFailure('google_web_search', '')).toEqual({});
  });
});

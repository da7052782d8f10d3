import { describe, expect, it } from 'vitest';
import { classifySaid } from './tool-failure.ts';

describe('classifySaid', () => {
  it.each([
    ['models/gemini-2.5-pro is not found for API version v1beta', { kind: 'model-not-found' }],
    ['{"error":{"code":404,"message":"Nothing is here."}}', { kind: 'model-not-found' }],
    ['You have exhausted your daily quota on this model.', { kind: 'quota-exhausted' }],
    ['got status: 429. You have exhausted your daily quota on this model.', { kind: 'quota-exhausted' }],
    ['Your quota will reset after 5s.', { kind: 'rate-limited', retryAfterMs: 5_000 }],
    ['{"error": {"code": 429, "message": "Please retry in 2s."}}', { kind: 'rate-limited', retryAfterMs: 2_000 }],
    ['Too many requests', { kind: 'rate-limited', retryAfterMs: null }],
    ['The model is overloaded. Please try again later.', { kind: 'overloaded' }],
    ['got status: 503 Service Unavailable', { kind: 'overloaded' }],
    ['No capacity available for model x', { kind: 'capacity-exhausted' }],
    ['HTTP/1.1 500 Internal Server Error', { kind: 'server-error', httpStatus: 500 }],
    ['HTTP 401', { kind: 'authentication', problem: 'rejected' }],
    ['API key not valid. Please pass a valid API key.', { kind: 'authentication', problem: 'rejected' }],
    ['IneligibleTierError: no', { kind: 'tier-retired' }],
    ['fetch failed', { kind: 'network' }],
    ['Authentication required', { kind: 'authentication', problem: 'missing' }],
  ])('knows %j', (text, failure) => {
    expect(classifySaid(text)).toMatchObject({ ...failure, excerpt: text });
  });

  it.each(['', 'Something else.', 'There are 404 of 503 pages left.', 'status: 302'])('does not know %j', (text) => {
    expect(classifySaid(text)).toBeNull();
  });

  it('carries no more of a long text than its beginning', () => {
    expect(classifySaid(`\nfetch failed ${'x'.repeat(1_000)}`)).toEqual({
      kind: 'network',
      excerpt: `fetch failed ${'x'.repeat(487)}`,
    });
  });
});

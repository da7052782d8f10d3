import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGoogleError } from './read-google-error.ts';

const errorInfo = (reason: string) => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason });
const retryInfo = (retryDelay: unknown) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });
const quotaFailure = (quotaId: string, quotaValue: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'generativelanguage.googleapis.com/requests', quotaId, quotaValue }],
});

function errorOf(code: number, status: string, details: readonly unknown[] = [], message = 'said'): unknown {
  return { error: { code, status, message, details } };
}

const perDay = quotaFailure('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '100');
const perMinute = quotaFailure('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '10');
const none = quotaFailure('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '0');
const said = { excerpt: 'said', saidBy: 'Google' };
const rejected = { kind: 'authentication', problem: 'rejected', ...said };

describe('readGoogleError', () => {
  it.each<[string, unknown, object]>([
    ['an argument that is wrong', errorOf(400, 'INVALID_ARGUMENT'), { kind: 'invalid-input', ...said }],
    ['a key that is wrong', errorOf(400, 'INVALID_ARGUMENT', [errorInfo('API_KEY_INVALID')]), rejected],
    ['no login', errorOf(401, 'UNAUTHENTICATED'), rejected],
    ['a permission', errorOf(403, 'PERMISSION_DENIED'), rejected],
    ['a model', errorOf(404, 'NOT_FOUND'), { kind: 'model-not-found', ...said }],
    ['a payload', errorOf(413, 'INVALID_ARGUMENT'), { kind: 'context-too-large', refusal: null, ...said }],
    ['a limit', errorOf(429, 'RESOURCE_EXHAUSTED'), { kind: 'rate-limited', retryAfterMs: null, ...said }],
    [
      'the quota of a minute, with its time',
      errorOf(429, 'RESOURCE_EXHAUSTED', [perMinute, retryInfo('36.3871s')]),
      { kind: 'rate-limited', retryAfterMs: 36_388, ...said },
    ],
    [
      'the quota of a day, whatever the time says',
      errorOf(429, 'RESOURCE_EXHAUSTED', [perDay, retryInfo('41s')]),
      { kind: 'quota-exhausted', ...said },
    ],
    [
      'a quota of nothing',
      errorOf(429, 'RESOURCE_EXHAUSTED', [none, retryInfo('41s')]),
      { kind: 'quota-exhausted', ...said },
    ],
    [
      'a spent quota',
      errorOf(429, 'RESOURCE_EXHAUSTED', [errorInfo('QUOTA_EXHAUSTED')]),
      { kind: 'quota-exhausted', ...said },
    ],
    [
      'machines',
      errorOf(503, 'UNAVAILABLE', [errorInfo('MODEL_CAPACITY_EXHAUSTED')]),
      { kind: 'capacity-exhausted', ...said },
    ],
    ['a cancel', errorOf(499, 'CANCELLED'), { kind: 'server-error', httpStatus: 499, ...said }],
    ['an error inside', errorOf(500, 'INTERNAL'), { kind: 'server-error', httpStatus: 500, ...said }],
    ['an overload', errorOf(503, 'UNAVAILABLE'), { kind: 'overloaded', ...said }],
    ['a deadline', errorOf(504, 'DEADLINE_EXCEEDED'), { kind: 'server-error', httpStatus: 504, ...said }],
    ['a conflict', errorOf(409, 'ABORTED'), { kind: 'invalid-input', ...said }],
    ['a status without a code', { error: { status: 'UNAVAILABLE', message: 'said' } }, { kind: 'overloaded', ...said }],
    ['a list with one', [errorOf(503, 'UNAVAILABLE')], { kind: 'overloaded', ...said }],
    ['its text', JSON.stringify(errorOf(503, 'UNAVAILABLE')), { kind: 'overloaded', ...said }],
  ])('knows %s', (_, value, failure) => {
    expect(readGoogleError(value)).toEqual(failure);
  });

  it('knows a message over the window by its words: the API has no code for it', () => {
    const message = 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).';
    expect(readGoogleError(errorOf(400, 'INVALID_ARGUMENT', [], message))).toEqual({
      kind: 'context-too-large',
      refusal: null,
      excerpt: message,
      saidBy: 'Google',
    });
  });

  it('goes by the status of the response where the body tells none, and shows its text', () => {
    const html = '<html>Bad Gateway</html>';
    expect(readGoogleError(html, { httpStatus: 502 })).toEqual({
      kind: 'server-error',
      httpStatus: 502,
      excerpt: html,
    });
    expect(readGoogleError(null, { httpStatus: 429, retryAfterMs: 7_000 })).toEqual({
      kind: 'rate-limited',
      retryAfterMs: 7_000,
      excerpt: '',
    });
  });

  it('believes the error more than the response', () => {
    const body = errorOf(429, 'RESOURCE_EXHAUSTED', [perMinute, retryInfo('2s')]);
    expect(readGoogleError(body, { httpStatus: 500, retryAfterMs: 9_000 })).toEqual({
      kind: 'rate-limited',
      retryAfterMs: 2_000,
      ...said,
    });
  });

  it.each([
    null,
    undefined,
    7,
    '',
    'terminated',
    '{',
    [],
    {},
    { error: null },
    { error: 'no' },
    { error: { code: 200 } },
  ])('takes %j for no error', (value) => {
    expect(readGoogleError(value)).toBeNull();
    expect(readGoogleError(value, { httpStatus: 200 })).toBeNull();
  });

  it.each<[unknown]>([
    [[null, 7, {}, { '@type': 7 }, { '@type': 'google.rpc.RetryInfo' }]],
    [[retryInfo(7), retryInfo('a while'), retryInfo('-3s'), { ...perDay, violations: 7 }]],
    ['details'],
  ])('makes nothing of details that are none: %j', (details) => {
    expect(readGoogleError({ error: { code: 429, details } })).toEqual({
      kind: 'rate-limited',
      retryAfterMs: null,
      excerpt: '',
    });
  });

  it('never throws, whatever comes, and carries no more of a message than its beginning', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.option(fc.integer({ min: 400, max: 599 })), (value, httpStatus) => {
        for (const given of [
          value,
          { error: value },
          { error: { code: 429, details: value } },
          JSON.stringify(value),
        ]) {
          const failure = readGoogleError(given, { httpStatus });
          expect(failure === null ? 0 : 'excerpt' in failure && failure.excerpt.length).toBeLessThanOrEqual(500);
        }
      }),
    );
  });
});

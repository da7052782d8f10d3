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
const notFound = { kind: 'model-not-found' };
const limited = (retryAfterMs: number | null) => ({ kind: 'rate-limited', retryAfterMs });
const tooMany = (details: readonly unknown[]) => errorOf(429, 'RESOURCE_EXHAUSTED', details);
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

  it('uses the status of the response if the body has no status, and shows its text', () => {
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
  ])('ignores malformed details: %j', (details) => {
    expect(readGoogleError({ error: { code: 429, details } })).toEqual({
      kind: 'rate-limited',
      retryAfterMs: null,
      excerpt: '',
    });
  });

  it.each<[string, unknown, object]>([
    ['an error in the message of another', { error: { message: JSON.stringify(errorOf(404, 'NOT_FOUND')) } }, notFound],
    [
      'one that is wrapped twice',
      errorOf(500, 'INTERNAL', [], JSON.stringify({ error: { message: JSON.stringify(errorOf(404, 'NOT_FOUND')) } })),
      notFound,
    ],
    ['a status as text', { error: { code: '404', message: 'said' } }, notFound],
    ['a wait that a library has unpacked', tooMany([retryInfo({ seconds: '2', nanos: 5e8 })]), limited(2_500)],
    ['a wait of years', tooMany([retryInfo('999999999s')]), limited(86_400_000)],
    ['a wait that is over', tooMany([retryInfo('-1s')]), limited(null)],
    ['a wait beyond all numbers', tooMany([retryInfo('1e309s')]), limited(null)],
    ['a quota that is renewed in seconds', tooMany([errorInfo('QUOTA_EXHAUSTED'), retryInfo('5s')]), limited(5_000)],
    ['a status that is new', { error: { code: 418, status: 'TEAPOT', message: 'said' } }, { kind: 'invalid-input' }],
  ])('knows %s', (_, value, failure) => {
    expect(readGoogleError(value)).toMatchObject({ ...failure, ...said });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -5, 0, 99, 1_000])(
    'takes %s for no status of an error',
    (httpStatus) => {
      expect(readGoogleError('x', { httpStatus })).toBeNull();
    },
  );

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -5])('makes no wait of a header that says %s', (retryAfterMs) => {
    const failure = readGoogleError('', { httpStatus: 429, retryAfterMs });
    expect(failure).toEqual({ kind: 'rate-limited', retryAfterMs: retryAfterMs > 0 ? 86_400_000 : null, excerpt: '' });
  });

  it('rejects huge or deep values quickly', () => {
    const huge = JSON.stringify(errorOf(429, 'RESOURCE_EXHAUSTED', [], 'x'.repeat(2_000_000)));
    expect(readGoogleError(huge, { httpStatus: 503 })).toMatchObject({
      kind: 'overloaded',
      excerpt: huge.slice(0, 500),
    });
    const many = errorOf(
      429,
      'RESOURCE_EXHAUSTED',
      Array.from({ length: 200_000 }, () => perDay),
    );
    expect(readGoogleError(many)).toMatchObject({ kind: 'quota-exhausted' });
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(readGoogleError(deep)).toBeNull();
    expect(readGoogleError(`{"error":{"code":503,"details":${deep}}}`)).toEqual({ kind: 'overloaded', excerpt: '' });
    const wrapped = Array.from({ length: 12 }).reduce<string>(
      (inner) => JSON.stringify({ error: { message: inner } }),
      '{}',
    );
    expect(readGoogleError(wrapped)).toBeNull();
  });

  it('never throws, and returns nothing long, wild or negative, for any input', () => {
    const word = fc.constantFrom('error', 'code', 'status', 'message', 'details', '@type', 'violations', 'retryDelay');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.anything(),
        fc.constantFrom(
          '429',
          'RESOURCE_EXHAUSTED',
          'type.googleapis.com/google.rpc.RetryInfo',
          '1e309s',
          '\u001b[31mX',
        ),
        fc.integer({ min: 390, max: 610 }),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(word, tie('tree'), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.option(fc.integer()), fc.option(fc.double()), (value, httpStatus, retryAfterMs) => {
        const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: value }];
        for (const given of [
          value,
          { error: value },
          [{ error: { code: 429, message: value, details } }],
          textOf(value),
        ]) {
          const failure = readGoogleError(given, { httpStatus, retryAfterMs });
          const { excerpt, retryAfterMs: waitMs } = { excerpt: '', retryAfterMs: null, ...failure };
          expect(excerpt.length).toBeLessThanOrEqual(500);
          expect(excerpt).not.toMatch(/[^\P{Cc}\n\t]/u);
          expect(waitMs === null || (Number.isSafeInteger(waitMs) && waitMs >= 0 && waitMs <= 86_400_000)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

/** As JSON if possible. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

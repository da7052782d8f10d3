import { readdirSync, readFileSync } from 'node:fs';
import type { AnswerEnding } from '@gemini-mcp/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classificationRules, classifyOutcome } from './classify-outcome.ts';
import type { CliOutcome } from './cli-outcome.ts';

/** Any text that is well-formed. */
const codePoint = fc.oneof(fc.nat(0xff), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }));
const unit = codePoint.map((code) => String.fromCodePoint(code));

const directory = new URL('./recorded/', import.meta.url);

function readOutcome(name: string): CliOutcome {
  return JSON.parse(readFileSync(new URL(`${name}.json`, directory), 'utf8')).outcome;
}

const recorded = new Map(
  readdirSync(directory)
    .map((file) => file.replace(/\.json$/, ''))
    .map((name) => [name, readOutcome(name)]),
);
const outcomes = [...recorded.values()];

/** A single run cannot be recorded so: it hangs until its time is over. */
const hung: CliOutcome = {
  termination: 'hung',
  exitCode: null,
  signal: 'SIGKILL',
  completion: 'missing',
  sawEvents: true,
  answered: false,
  httpStatus: null,
  messages: ['The Gemini CLI does not answer any more.'],
  stderr: '',
  strayOutput: '',
};

const missing = { kind: 'authentication', problem: 'missing' };
const rejected = { kind: 'authentication', problem: 'rejected' };
const tooLarge = { kind: 'context-too-large', refusal: null };
const blocked = (what: string) => ({ kind: 'blocked', what });
const damaged = 'ended with a damaged call, or without a reason';
const rateLimited = { kind: 'rate-limited', retryAfterMs: null };

/** Sample, the row that it meets first, and the failure without its excerpt. */
const table: readonly (readonly [sample: string, rule: string, failure: object])[] = [
  ['cancelled', 'cancelled', { kind: 'cancelled' }],
  ['login-prompt', 'login prompt', missing],
  ['timed-out', 'timed out', { kind: 'timeout' }],
  ['endless-output', 'output limit', { kind: 'malformed-output' }],

  ['answer-cut-by-safety', 'ended by a filter', blocked('answer')],
  ['blocked-safety', 'ended by a filter', blocked('answer')],
  ['blocked-recitation', 'ended by a filter', blocked('answer')],
  ['blocked-other', 'ended by a filter', blocked('answer')],
  ['blocked-prompt', 'ended by a filter', blocked('prompt')],
  ['answer-malformed-call', 'ended with a damaged call, or without a reason', { kind: 'malformed-output' }],
  ['no-finish-reason', 'ended with a damaged call, or without a reason', { kind: 'malformed-output' }],
  ['no-finish-reason-after-tool', 'ended with a damaged call, or without a reason', { kind: 'malformed-output' }],

  ['google-login-retired-tier', 'retired tier', { kind: 'tier-retired' }],
  ['no-login', 'exit code 41', missing],
  ['no-login-for-base-url', 'exit code 41', missing],
  ['no-key', 'exit code 41', missing],
  ['no-vertex-project', 'exit code 41', missing],
  ['google-login-never-done', 'exit code 41', missing],
  ['input-not-accepted', 'exit code 42', { kind: 'invalid-input' }],
  ['sandbox-missing', 'exit code 44', { kind: 'sandbox-missing' }],
  ['sandbox-without-image', 'sandbox that does not start', { kind: 'sandbox-missing' }],
  ['settings-broken', 'exit code 52', { kind: 'configuration' }],
  ['turn-limit', 'exit code 53', { kind: 'turn-limit' }],
  ['tool-denied', 'exit code 54', { kind: 'tool-denied' }],
  ['untrusted-workspace', 'exit code 55', { kind: 'untrusted-workspace' }],

  ['key-rejected', 'rejected key', rejected],
  ['too-many-tokens', 'too many tokens', tooLarge],
  ['bad-request', 'error of the API', { kind: 'invalid-input' }],
  ['unauthorized', 'error of the API', rejected],
  ['permission-denied', 'error of the API', rejected],
  ['google-login-unauthorized', 'error of the API', rejected],
  ['google-login-forbidden', 'error of the API', rejected],
  ['payload-too-large', 'error of the API', tooLarge],
  ['not-found-by-code', 'error of the API', { kind: 'model-not-found' }],
  ['model-not-found', 'not found in words', { kind: 'model-not-found' }],
  ['entity-not-found', 'not found in words', { kind: 'model-not-found' }],
  ['no-capacity', 'no capacity', { kind: 'capacity-exhausted' }],
  ['no-capacity-503', 'no capacity', { kind: 'capacity-exhausted' }],
  ['quota-renewed-in-seconds', 'quota that is renewed in seconds', { kind: 'rate-limited', retryAfterMs: 5_000 }],
  ['quota-renewed-in-hours', 'spent quota', { kind: 'quota-exhausted' }],
  ['quota-of-the-day', 'spent quota', { kind: 'quota-exhausted' }],
  ['quota-of-zero', 'spent quota', { kind: 'quota-exhausted' }],
  ['rate-limited', 'error of the API', rateLimited],
  ['rate-limited-with-delay', 'error of the API', { kind: 'rate-limited', retryAfterMs: 2_000 }],
  ['rate-limited-at-length', 'error of the API', { kind: 'rate-limited', retryAfterMs: 36_387 }],
  ['google-login-rate-limited', 'error of the API', rateLimited],
  ['overloaded', 'error of the API', { kind: 'overloaded' }],
  ['overloaded-by-demand', 'error of the API', { kind: 'overloaded' }],
  ['google-login-unavailable', 'error of the API', { kind: 'overloaded' }],
  ['api-cancelled', 'error of the API', { kind: 'server-error', httpStatus: 499 }],
  ['api-internal', 'error of the API', { kind: 'server-error', httpStatus: 500 }],
  ['api-bad-gateway', 'error of the API', { kind: 'server-error', httpStatus: 502 }],
  ['api-deadline', 'error of the API', { kind: 'server-error', httpStatus: 504 }],

  ['session-cancelled', 'cancelled', { kind: 'cancelled' }],
  ['session-timed-out', 'timed out', { kind: 'timeout' }],
  ['session-over-window', 'stopped over the window', tooLarge],
  ['session-answer-cut-by-safety', 'ended by a filter', blocked('answer')],
  ['session-blocked-safety', 'ended by a filter', blocked('answer')],
  ['session-blocked-prompt', 'ended by a filter', blocked('prompt')],
  ['session-answer-malformed-call', damaged, { kind: 'malformed-output' }],
  ['session-no-finish-reason', damaged, { kind: 'malformed-output' }],
  ['session-key-rejected', 'rejected key', rejected],
  ['session-too-many-tokens', 'too many tokens', tooLarge],
  ['session-bad-request', 'error of the API', { kind: 'invalid-input' }],
  ['session-unauthorized', 'error of the API', rejected],
  ['session-permission-denied', 'error of the API', rejected],
  ['session-payload-too-large', 'error of the API', tooLarge],
  ['session-model-not-found', 'not found in words', { kind: 'model-not-found' }],
  ['session-no-capacity', 'no capacity', { kind: 'capacity-exhausted' }],
  [
    'session-quota-renewed-in-seconds',
    'quota that is renewed in seconds',
    { kind: 'rate-limited', retryAfterMs: 5_000 },
  ],
  ['session-quota-renewed-in-hours', 'spent quota', { kind: 'quota-exhausted' }],
  ['session-quota-of-the-day', 'spent quota', { kind: 'quota-exhausted' }],
  ['session-quota-of-zero', 'spent quota', { kind: 'quota-exhausted' }],
  ['session-rate-limited', 'error of the API', rateLimited],
  ['session-rate-limited-with-delay', 'error of the API', { kind: 'rate-limited', retryAfterMs: 2_000 }],
  ['session-overloaded', 'error of the API', { kind: 'overloaded' }],
  ['session-api-internal', 'error of the API', { kind: 'server-error', httpStatus: 500 }],
  ['session-api-bad-gateway', 'error of the API', { kind: 'server-error', httpStatus: 502 }],
  ['session-api-deadline', 'error of the API', { kind: 'server-error', httpStatus: 504 }],
  ['session-connection-refused', 'no connection', { kind: 'network' }],
  ['session-connection-cut-early', 'no connection', { kind: 'network' }],
  ['session-connection-cut-late', 'no connection', { kind: 'network' }],
  ['session-empty-answer', 'finished without text', { kind: 'empty-answer' }],
  ['session-empty-but-for-thoughts', 'finished without text', { kind: 'empty-answer' }],
  ['session-without-key', 'no login in words', missing],
  ['session-without-login', 'no login in words', missing],
  ['session-without-credentials', 'no login in words', missing],
  ['session-turn-limit', 'stopped at the limit of turns', { kind: 'turn-limit' }],
  ['broken-stream', 'broken stream', { kind: 'malformed-output' }],
  ['blocked-in-words', 'blocked answer', blocked('answer')],
  ['empty-answer', 'invalid stream', { kind: 'empty-answer' }],
  ['empty-but-for-thoughts', 'invalid stream', { kind: 'empty-answer' }],
  ['empty-at-token-limit', 'invalid stream', { kind: 'empty-answer' }],
  ['empty-malformed-call', 'invalid stream', { kind: 'empty-answer' }],
  ['empty-unexpected-call', 'invalid stream', { kind: 'empty-answer' }],
  ['quota-in-words', 'quota in words', rateLimited],
  ['overload-in-words', 'overload in words', { kind: 'overloaded' }],
  ['connection-refused', 'no connection', { kind: 'network' }],
  ['connection-cut-early', 'no connection', { kind: 'network' }],
  ['connection-cut-late', 'no connection', { kind: 'network' }],
  ['google-login-offline', 'no connection', { kind: 'network' }],
  ['unknown-flag', 'flag that this version does not know', { kind: 'cli-outdated' }],

  ['killed-by-another', 'killed by a signal', { kind: 'crashed', detail: 'was ended by SIGKILL' }],
  ['killed-amid-answer', 'killed by a signal', { kind: 'crashed', detail: 'was ended by SIGKILL' }],
  ['session-killed-amid-answer', 'killed by a signal', { kind: 'crashed', detail: 'was ended by SIGKILL' }],
  ['crashed-by-signal', 'killed by a signal', { kind: 'crashed', detail: 'was ended by SIGSEGV' }],
  ['crashed-with-code', 'killed by a signal', { kind: 'crashed', detail: 'ended with exit code 139' }],
  ['cancelled-itself', 'killed by a signal', { kind: 'crashed', detail: 'ended with exit code 130' }],
  ['response-empty', 'empty response object', { kind: 'empty-answer' }],
  ['silence', 'no output at all', { kind: 'empty-answer' }],
  ['success-without-text', 'finished without text', { kind: 'empty-answer' }],
  ['over-window', 'finished without text', { kind: 'empty-answer' }],
  ['garbage', 'garbage, or a stream without its end', { kind: 'malformed-output' }],
  ['terminated-by-another', 'garbage, or a stream without its end', { kind: 'malformed-output' }],
  ['unknown', 'unknown', { kind: 'unknown', detail: 'ended with exit code 1' }],
];

const answers = ['answer', 'answer-cut-by-length', 'session-answer', 'session-answer-cut-by-length'];

function ruleOf(outcome: CliOutcome): string | undefined {
  return classificationRules.find((rule) => rule.matches(outcome))?.name;
}

const arbitraryOutcome: fc.Arbitrary<CliOutcome> = fc.record(
  {
    termination: fc.constantFrom('exited', 'cancelled', 'timed-out', 'output-limit', 'hung'),
    exitCode: fc.option(fc.integer({ min: -1, max: 300 })),
    signal: fc.option(fc.constantFrom('SIGTERM', 'SIGKILL', 'SIGSEGV')),
    completion: fc.constantFrom('success', 'error', 'missing'),
    ending: fc.constantFrom<AnswerEnding>(
      { type: 'complete' },
      { type: 'output-limit' },
      { type: 'blocked', what: 'answer', reason: 'SAFETY' },
      { type: 'malformed', reason: 'MALFORMED_FUNCTION_CALL' },
      { type: 'unfinished' },
      { type: 'unknown', reason: 'A_NEW_REASON' },
    ),
    sawEvents: fc.boolean(),
    answered: fc.boolean(),
    httpStatus: fc.option(fc.integer({ min: 100, max: 599 })),
    messages: fc.array(fc.string({ unit }), { maxLength: 3 }),
    stderr: fc.string({ unit }),
    strayOutput: fc.string({ unit }),
  },
  {
    requiredKeys: [
      'termination',
      'exitCode',
      'signal',
      'completion',
      'sawEvents',
      'answered',
      'httpStatus',
      'messages',
      'stderr',
      'strayOutput',
    ],
  },
);

/** What a CLI may repeat of the files that it was given. */
const echo = 'Requested: 429 quota exceeded, model not found, ECONNREFUSED\nUnknown argument: x\n  status: 401,\n';

describe('classifyOutcome', () => {
  it.each(table)('%s (CLI-06, CLI-07, CLI-08)', (sample, rule, failure) => {
    const outcome = recorded.get(sample);
    expect(outcome).toBeDefined();
    if (outcome !== undefined) {
      const { excerpt: _, saidBy: __, ...rest } = { excerpt: '', saidBy: '', ...classifyOutcome(outcome) };
      expect(rest).toEqual(failure);
      expect(ruleOf(outcome)).toBe(rule);
    }
  });

  it.each(answers)('%s is an answer', (sample) => {
    const outcome = recorded.get(sample);
    expect(outcome && classifyOutcome(outcome)).toBeNull();
  });

  it('is tested with every recorded sample', () => {
    expect([...table.map(([sample]) => sample), ...answers].sort()).toEqual([...recorded.keys()].sort());
  });

  it('has no row that is dead or in the shadow of another', () => {
    const met = new Set([...outcomes, hung].map(ruleOf));
    expect(classificationRules.map(({ name }) => name).filter((name) => !met.has(name))).toEqual([]);
  });

  it('has rows with names of their own', () => {
    const names = classificationRules.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it('gives null for an answer and a failure for anything else, whatever the outcome', () => {
    fc.assert(
      fc.property(arbitraryOutcome, (outcome) => {
        const { termination, completion, answered, ending } = outcome;
        const isWhole = ending === undefined || ['complete', 'output-limit', 'unknown'].includes(ending.type);
        const isAnswer = termination === 'exited' && completion === 'success' && answered && isWhole;
        expect(classifyOutcome(outcome) === null).toBe(isAnswer);
      }),
    );
  });

  it('does not report a run that may have hung its process as a crash', () => {
    expect(classifyOutcome(hung)).toEqual({
      kind: 'hung',
      excerpt: 'The Gemini CLI does not answer any more.',
      saidBy: 'the Gemini CLI',
    });
  });

  it('takes our own action on a run for its end, whatever else happened', () => {
    fc.assert(
      fc.property(arbitraryOutcome, fc.constantFrom(...outcomes), (arbitrary, sample) => {
        for (const outcome of [arbitrary, sample]) {
          expect(classifyOutcome({ ...outcome, termination: 'cancelled' })).toEqual({ kind: 'cancelled' });
          expect(classifyOutcome({ ...outcome, termination: 'timed-out', strayOutput: '' })).toEqual({
            kind: 'timeout',
          });
          expect(classifyOutcome({ ...outcome, termination: 'output-limit' })?.kind).toBe('malformed-output');
        }
      }),
    );
  });

  it.each([...recorded].filter(([, outcome]) => outcome.sawEvents))(
    '%s: the events decide, whatever stderr repeats',
    (_, outcome) => {
      expect(ruleOf({ ...outcome, stderr: echo + outcome.stderr })).toBe(ruleOf(outcome));
      expect(ruleOf({ ...outcome, stderr: outcome.stderr + echo })).toBe(ruleOf(outcome));
    },
  );

  it('takes a crash before the first event for a crash, whatever stderr repeats', () => {
    const outcome = recorded.get('killed-by-another');
    expect(outcome && ruleOf({ ...outcome, sawEvents: false, stderr: echo })).toBe('killed by a signal');
  });

  it('never reports an HTTP status as a crash', () => {
    const statuses = [400, 401, 403, 404, 408, 413, 429, 499, 500, 501, 502, 503, 504];
    const outcome = recorded.get('unknown');
    const kinds = statuses.map(
      (httpStatus) => outcome && classifyOutcome({ ...outcome, httpStatus, exitCode: httpStatus % 256 })?.kind,
    );
    expect(kinds).toEqual([
      'invalid-input',
      'authentication',
      'authentication',
      'model-not-found',
      'server-error',
      'context-too-large',
      'rate-limited',
      'server-error',
      'server-error',
      'server-error',
      'server-error',
      'overloaded',
      'server-error',
    ]);
  });
});

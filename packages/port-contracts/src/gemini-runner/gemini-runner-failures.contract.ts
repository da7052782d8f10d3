import { type GeminiFailure, plainRunSettings, type RunSettings } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { collectEvents, failureOf, textOf } from '../runner-places/collect-events.ts';
import { expectFreshRun } from '../runner-places/expect-fresh-run.ts';
import {
  type GeminiRunnerHarness,
  type GeminiRunnerSubject,
  manyRuns,
  type Situation,
} from './gemini-runner-harness.ts';

type Situations = Readonly<Record<string, Situation>>;
type Run = { readonly text: string; readonly failure: GeminiFailure | null };

type Failing = Extract<Situation, { readonly type: 'failure' }>;

const fails = (httpStatus: number, message: string, reason?: string): Failing => ({
  type: 'failure',
  httpStatus,
  message,
  ...(reason !== undefined && { reason }),
});

const silences = {
  'an empty answer': { type: 'empty' },
  'thoughts alone': { type: 'thoughts' },
  'blanks alone': { type: 'answer', chunks: [' ', '\n\t'] },
  'a blocked answer': { type: 'blocked', what: 'answer' },
  'a blocked prompt': { type: 'blocked', what: 'prompt' },
} as const satisfies Situations;

const breaks = {
  'an end without a reason': { type: 'unfinished', chunks: ['half'] },
  'a connection cut before the answer': { type: 'cut', chunks: [] },
  'a connection cut amid the answer': { type: 'cut', chunks: ['half'] },
  'an error amid the answer': { ...fails(503, 'The model is overloaded. Please try again later.'), chunks: ['half'] },
} as const satisfies Situations;

type ApiError = { readonly situation: Situation; readonly failure: Readonly<Record<string, string | number>> };

const rejected = { kind: 'authentication', problem: 'rejected' } as const;

/** What each error of the API means, without its message. docs/contracts.md has the same table. */
export const apiErrors: Readonly<Record<string, ApiError>> = {
  'a key that is not valid': {
    situation: fails(400, 'API key not valid. Please pass a valid API key.', 'API_KEY_INVALID'),
    failure: rejected,
  },
  'a login that is not valid': {
    situation: fails(401, 'Request had invalid authentication credentials.'),
    failure: rejected,
  },
  'a permission that is missing': {
    situation: fails(403, 'The caller does not have permission'),
    failure: rejected,
  },
  'a model that is not there': {
    situation: fails(404, 'models/gemini-2.5-pro is not found for API version v1beta.'),
    failure: { kind: 'model-not-found' },
  },
  'the quota of a minute': {
    situation: { type: 'quota', of: 'minute', retryAfterSeconds: 2 },
    failure: { kind: 'rate-limited', retryAfterMs: 2_000 },
  },
  'the quota of a day': { situation: { type: 'quota', of: 'day' }, failure: { kind: 'quota-exhausted' } },
  'an internal error': {
    situation: fails(500, 'An internal error has occurred.'),
    failure: { kind: 'server-error', httpStatus: 500 },
  },
  'an overloaded model': {
    situation: fails(503, 'The model is overloaded. Please try again later.'),
    failure: { kind: 'overloaded' },
  },
};

const callKey = 'AIzaContract-key_that_is_not_to_be_told_00';
const maxExcerptCharacters = 500;

const wordy = {
  'words with a key': fails(400, `Not a key: ${callKey}. Please pass a valid one.`),
  'many words': fails(500, 'It went wrong. '.repeat(400)),
  'no words': { type: 'cut', chunks: [] },
} as const satisfies Situations;

/** The promises for an empty answer and for a failed connection. */
export function describeGeminiRunnerFailures({ proof, open }: GeminiRunnerSubject): void {
  proof.promise(
    'an answer without visible text is never a success, and not retried',
    async () => {
      const harness = await open({ type: 'empty' });
      const runs = await runAll(harness, silences);
      const silent = { text: expect.stringMatching(/^\s*$/), kind: expect.stringMatching(/^empty-answer$|^blocked$/) };
      expect(mapValues(runs, kindOf)).toEqual(mapValues(silences, () => silent));
      expectOneRequestEach(harness, silences);
      expect(await harness.leftovers()).toEqual([]);
    },
    manyRuns,
  );

  proof.promise(
    'an answer that breaks off is never a success, keeps its text, and is not retried',
    async () => {
      const harness = await open({ type: 'empty' });
      const runs = await runAll(harness, breaks);
      // A runner that yields whole answers yields nothing here.
      const half = harness.runner.capabilities.streaming ? 'half' : expect.stringMatching(/^(half)?$/);
      expect(mapValues(runs, kindOf)).toEqual({
        'an end without a reason': { text: 'half', kind: 'malformed-output' },
        'a connection cut before the answer': { text: '', kind: 'network' },
        'a connection cut amid the answer': { text: half, kind: 'network' },
        'an error amid the answer': { text: half, kind: harness.hidesStreamErrors ? 'malformed-output' : 'overloaded' },
      });
      expectOneRequestEach(harness, breaks);
      await expectFreshRun(harness, [...Object.keys(breaks), 'half']);
    },
    manyRuns,
  );

  proof.promise(
    'an error of the API becomes the failure for its meaning, with its message, and is not retried',
    async () => {
      const harness = await open({ type: 'empty' });
      const errors = mapValues(apiErrors, ({ situation }) => situation);
      const runs = await runAll(harness, errors);
      expect(mapValues(runs, ({ failure }) => meaningOf(failure))).toEqual(
        mapValues(apiErrors, ({ failure }) => failure),
      );
      expect(Object.values(runs).map(({ text }) => text)).toEqual(Object.keys(errors).map(() => ''));
      expect(runs['an overloaded model']?.failure).toMatchObject({
        excerpt: expect.stringContaining('The model is overloaded.'),
      });
      expectOneRequestEach(harness, errors);
      expect(await harness.leftovers()).toEqual([]);
    },
    manyRuns,
  );

  proof.promise('quotes an excerpt of the error, without the key of the call or a stack', async () => {
    const harness = await open({ type: 'empty' });
    const apiKey = harness.runner.capabilities.keyOfCall ? callKey : null;
    const runs = await runAll(harness, wordy, { ...plainRunSettings, apiKey });
    expect(mapValues(runs, ({ failure }) => failure?.kind)).toEqual({
      'words with a key': 'invalid-input',
      'many words': 'server-error',
      'no words': 'network',
    });
    for (const { failure } of Object.values(runs)) {
      const excerpt = failure !== null && 'excerpt' in failure ? failure.excerpt : '';
      expect(excerpt.length, 'characters of the excerpt').toBeLessThanOrEqual(maxExcerptCharacters);
      expect(JSON.stringify(failure), 'a failure with the key of its call').not.toContain(apiKey ?? 'no key');
      expect(excerpt, 'where in a program it happened').not.toMatch(/^\s*at .+:\d+:\d+\)?$/m);
    }
    expect(runs['words with a key']?.failure).toMatchObject({ excerpt: expect.stringContaining('Not a key: ') });
  });
}

/** Each situation was the message of one request. */
function expectOneRequestEach(harness: GeminiRunnerHarness, situations: Situations): void {
  expect(harness.received().toSorted(), 'the requests that reached the model').toEqual(
    Object.keys(situations).toSorted(),
  );
}

/** A failure without its texts and their source. */
function meaningOf(failure: GeminiFailure | null): object {
  const words = ['excerpt', 'saidBy'];
  return Object.fromEntries(Object.entries(failure ?? {}).filter(([name]) => !words.includes(name)));
}

function kindOf({ text, failure }: Run): object {
  return { text, kind: failure?.kind };
}

/** One run in each situation, all together: the name of the situation is the message. */
async function runAll(
  harness: GeminiRunnerHarness,
  situations: Situations,
  settings: RunSettings = plainRunSettings,
): Promise<Readonly<Record<string, Run>>> {
  harness.arrange((input) => situations[input] ?? { type: 'empty' });
  const runs = Object.keys(situations).map(async (input): Promise<[string, Run]> => {
    const events = await collectEvents(harness, { input, settings });
    return [input, { text: textOf(events), failure: failureOf(events) }];
  });
  return Object.fromEntries(await Promise.all(runs));
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Readonly<Record<string, U>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

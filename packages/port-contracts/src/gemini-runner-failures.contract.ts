import { classifyOutcome, type RunOutcome } from '@gemini-mcp/core';
import { expect, it } from 'vitest';
import {
  collectEvents,
  expectFreshRun,
  type GeminiRunnerHarness,
  manyRunsTimeoutMs,
  type OpenGeminiRunner,
  outcomeOf,
  type Situation,
  textOf,
} from './gemini-runner-harness.ts';

type Situations = Readonly<Record<string, Situation>>;
type Run = { readonly text: string; readonly outcome: RunOutcome };

const failure = (httpStatus: number, message: string): Situation => ({ type: 'failure', httpStatus, message });

const silences = {
  'an empty answer': { type: 'empty' },
  'thoughts alone': { type: 'thoughts' },
  'a blocked answer': { type: 'blocked', what: 'answer' },
  'a blocked prompt': { type: 'blocked', what: 'prompt' },
} as const satisfies Situations;

const breaks = {
  'an end without a reason': { type: 'unfinished', chunks: ['half'] },
  'a connection cut before the answer': { type: 'cut', chunks: [] },
  'a connection cut amid the answer': { type: 'cut', chunks: ['half'] },
} as const satisfies Situations;

const errors = {
  'a key that is not valid': failure(400, 'API key not valid. Please pass a valid API key.'),
  'a login that is not valid': failure(401, 'Request had invalid authentication credentials.'),
  'a permission that is missing': failure(403, 'The caller does not have permission'),
  'a model that is not there': failure(404, 'models/gemini-2.5-pro is not found for API version v1beta.'),
  'the quota of a minute': { type: 'quota', of: 'minute', retryAfterSeconds: 2 },
  'the quota of a day': { type: 'quota', of: 'day' },
  'an internal error': failure(500, 'An internal error has occurred.'),
  'an overloaded model': failure(503, 'The model is overloaded. Please try again later.'),
} as const satisfies Situations;

/** What a runner owes when the model says nothing, or the way to it fails. */
export function describeGeminiRunnerFailures(open: OpenGeminiRunner): void {
  it(
    'an answer without text is never a success',
    async () => {
      const harness = await open({ type: 'empty' });
      const runs = await runAll(harness, silences);
      const silent = {
        text: '',
        answered: false,
        termination: 'exited',
        kind: expect.stringMatching(/^empty-answer$|^blocked$/),
      };
      expect(mapValues(runs, ({ text, outcome }) => ({ text, ...endOf(outcome) }))).toEqual(
        mapValues(silences, () => silent),
      );
      expect(await harness.leftovers()).toEqual([]);
    },
    manyRunsTimeoutMs,
  );

  it(
    'an answer that breaks off is never a success, and keeps its text',
    async () => {
      const harness = await open({ type: 'empty' });
      const runs = await runAll(harness, breaks);
      expect(mapValues(runs, ({ text, outcome }) => ({ text, ...endOf(outcome) }))).toEqual({
        'an end without a reason': broken('half', 'malformed-output'),
        'a connection cut before the answer': broken('', 'network'),
        'a connection cut amid the answer': broken('half', 'network'),
      });
      await expectFreshRun(harness, [...Object.keys(breaks), 'half']);
    },
    manyRunsTimeoutMs,
  );

  it(
    'an error of the API is in the outcome, with its status and what was said',
    async () => {
      const harness = await open({ type: 'empty' });
      const runs = await runAll(harness, errors);
      expect(mapValues(runs, ({ outcome }) => ({ ...classifyOutcome(outcome), excerpt: '' }))).toEqual({
        'a key that is not valid': { kind: 'authentication', problem: 'rejected', excerpt: '' },
        'a login that is not valid': { kind: 'authentication', problem: 'rejected', excerpt: '' },
        'a permission that is missing': { kind: 'authentication', problem: 'rejected', excerpt: '' },
        'a model that is not there': { kind: 'model-not-found', excerpt: '' },
        'the quota of a minute': { kind: 'rate-limited', retryAfterMs: 2_000, excerpt: '' },
        'the quota of a day': { kind: 'quota-exhausted', excerpt: '' },
        'an internal error': { kind: 'server-error', httpStatus: 500, excerpt: '' },
        'an overloaded model': { kind: 'overloaded', excerpt: '' },
      });
      for (const { text, outcome } of Object.values(runs)) {
        expect({ text, ...outcome }).toMatchObject({
          text: '',
          termination: 'exited',
          completion: 'error',
          answered: false,
        });
      }
      const overload = runs['an overloaded model']?.outcome;
      expect(overload?.httpStatus).toBe(503);
      expect(overload?.messages.join('\n')).toContain('The model is overloaded.');
      expect(await harness.leftovers()).toEqual([]);
    },
    manyRunsTimeoutMs,
  );
}

function broken(text: string, kind: string): object {
  return { text, answered: text !== '', termination: 'exited', kind };
}

function endOf(outcome: RunOutcome): object {
  const { answered, termination } = outcome;
  return { answered, termination, kind: classifyOutcome(outcome)?.kind };
}

/** One run in each of the situations, all at once: the name of the situation is the message. */
async function runAll(harness: GeminiRunnerHarness, situations: Situations): Promise<Readonly<Record<string, Run>>> {
  harness.arrange((input) => situations[input] ?? { type: 'empty' });
  const runs = Object.keys(situations).map(async (input): Promise<[string, Run]> => {
    const events = await collectEvents(harness, { input });
    return [input, { text: textOf(events), outcome: outcomeOf(events) }];
  });
  return Object.fromEntries(await Promise.all(runs));
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Readonly<Record<string, U>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

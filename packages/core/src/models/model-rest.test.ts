import { describe, expect, it } from 'vitest';
import type { Attempt } from '../answers/ask-result.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { ModelChain } from '../ports/gemini-runner/runner-capabilities.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { ModelRest } from './model-rest.ts';

const chain: ModelChain = ['pro', 'flash', 'lite'];
const api = { chain, runnerName: 'api' };
const spent: GeminiFailure = { kind: 'quota-exhausted', excerpt: '' };

const attemptOf = (model: string, failure: GeminiFailure | null): Attempt => ({ model, durationMs: 1, failure });

function arrange(): { readonly clock: FakeClock; readonly rest: ModelRest } {
  const clock = new FakeClock(1_700_000_000_000);
  return { clock, rest: new ModelRest({ clock }) };
}

describe('ModelRest', () => {
  it.each<[string, GeminiFailure]>([
    ['has no quota', spent],
    ['is not found', { kind: 'model-not-found', excerpt: '' }],
  ])('puts a model that %s at the end of the chain for 15 minutes', async (_, failure) => {
    const { clock, rest } = arrange();
    rest.record(attemptOf('pro', failure), 'api');
    expect(rest.order(api)).toEqual(['flash', 'lite', 'pro']);
    await clock.advance(15 * 60_000 - 1);
    expect(rest.order(api)).toEqual(['flash', 'lite', 'pro']);
    await clock.advance(1);
    expect(rest.order(api)).toEqual(chain);
  });

  it.each<[string, GeminiFailure | null]>([
    ['answered', null],
    ['is asked too often', { kind: 'rate-limited', retryAfterMs: null, excerpt: '' }],
    ['is overloaded', { kind: 'overloaded', excerpt: '' }],
    ['was given up', { kind: 'cancelled' }],
  ])('keeps a model in place that %s', (_, failure) => {
    const { rest } = arrange();
    rest.record(attemptOf('pro', failure), 'api');
    expect(rest.order(api)).toEqual(chain);
  });

  it('is over with an answer, and with nothing else', () => {
    const { rest } = arrange();
    rest.record(attemptOf('pro', spent), 'api');
    rest.record(attemptOf('pro', { kind: 'cancelled' }), 'api');
    expect(rest.order(api)).toEqual(['flash', 'lite', 'pro']);
    rest.record(attemptOf('pro', null), 'api');
    expect(rest.order(api)).toEqual(chain);
  });

  it('lets several opinions begin with different models that do not rest', () => {
    const { rest } = arrange();
    rest.record(attemptOf('pro', spent), 'api');
    const orders = [0, 1, 2].map((index) => rest.order({ ...api, opinion: { index, count: 3 } }));
    expect(orders).toEqual([
      ['flash', 'lite', 'pro'],
      ['lite', 'flash', 'pro'],
      ['flash', 'lite', 'pro'],
    ]);
  });

  it('keeps the order where every model rests', () => {
    const { rest } = arrange();
    for (const model of ['lite', 'pro', 'flash']) {
      rest.record(attemptOf(model, spent), 'api');
    }
    expect(rest.order(api)).toEqual(chain);
  });

  it('holds for one runner, whose login it was, and never for the key of a call', () => {
    const { rest } = arrange();
    rest.record(attemptOf('pro', spent), 'api');
    rest.record(attemptOf('flash', spent), null);
    expect(rest.order({ chain, runnerName: 'warm' })).toEqual(chain);
    expect(rest.order({ chain, runnerName: null })).toEqual(chain);
    expect(rest.order(api)).toEqual(['flash', 'lite', 'pro']);
  });

  it('remembers the last hundred of the names that callers make up', () => {
    const { rest } = arrange();
    for (let index = 0; index <= 100; index += 1) {
      rest.record(attemptOf(`model-${index}`, spent), 'api');
    }
    expect(rest.order({ chain: ['model-0', 'pro'], runnerName: 'api' })).toEqual(['model-0', 'pro']);
    expect(rest.order({ chain: ['model-1', 'pro'], runnerName: 'api' })).toEqual(['pro', 'model-1']);
  });

  it('says which better models were not asked, and when they will be', async () => {
    const { clock, rest } = arrange();
    rest.record(attemptOf('pro', spent), 'api');
    rest.record(attemptOf('lite', spent), 'api');
    const answered = { ...api, attempts: [attemptOf('flash', null)] };
    expect(rest.describe(answered)).toEqual([
      'pro was not asked: less than a minute ago its quota was used up, or the plan does not include it. It is tried first again when 15 minutes have passed.',
    ]);
    await clock.advance(60_000);
    expect(rest.describe(answered)).toEqual([expect.stringContaining('pro was not asked: 1 minute ago its quota')]);
    expect(rest.describe({ ...api, attempts: [attemptOf('flash', spent), attemptOf('pro', null)] })).toEqual([]);
  });
});

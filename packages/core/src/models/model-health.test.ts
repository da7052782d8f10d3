import { describe, expect, it } from 'vitest';
import type { Attempt } from '../answers/ask-result.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { ModelHealth } from './model-health.ts';

const startMs = 1_700_000_000_000;
const hourMs = 3_600_000;
const unknown = { attempts: 0, answered: 0, medianDurationMs: null, lastFailure: null };
const overloaded: GeminiFailure = { kind: 'overloaded', excerpt: '' };
const spent: GeminiFailure = { kind: 'quota-exhausted', excerpt: '' };

function attemptOf(model: string, durationMs: number, failure: GeminiFailure | null = null): Attempt {
  return { model, durationMs, failure };
}

describe('ModelHealth', () => {
  it('reports each model by itself, in the given order, even without observations', () => {
    const health = new ModelHealth({ clock: new FakeClock(startMs) });
    health.record(attemptOf('pro', 10));
    health.record(attemptOf('flash', 20, overloaded));
    expect(health.report(['flash', 'lite', 'pro'])).toEqual([
      {
        model: 'flash',
        attempts: 1,
        answered: 0,
        medianDurationMs: null,
        lastFailure: { kind: 'overloaded', atMs: startMs },
      },
      { model: 'lite', ...unknown },
      { model: 'pro', attempts: 1, answered: 1, medianDurationMs: 10, lastFailure: null },
    ]);
  });

  it('returns the last failure and its time, even if answers followed', async () => {
    const clock = new FakeClock(startMs);
    const health = new ModelHealth({ clock });
    for (const failure of [spent, overloaded, null]) {
      await clock.advance(1_000);
      health.record(attemptOf('pro', 10, failure));
    }
    expect(health.report(['pro'])).toMatchObject([
      { attempts: 3, answered: 1, lastFailure: { kind: 'overloaded', atMs: startMs + 2_000 } },
    ]);
  });

  it.each([
    [[7], 7],
    [[1_000, 1, 3], 3],
    [[100, 20, 3, 4], 12],
  ])('of answers after %j ms takes %d ms for the median, whatever failures took', (durationsMs, medianDurationMs) => {
    const health = new ModelHealth({ clock: new FakeClock() });
    health.record(attemptOf('pro', 900_000, overloaded));
    for (const durationMs of durationsMs) {
      health.record(attemptOf('pro', durationMs));
    }
    expect(health.report(['pro'])).toMatchObject([{ medianDurationMs }]);
  });

  it.each<GeminiFailure>([
    { kind: 'cancelled' },
    { kind: 'directory-refused', detail: '' },
    { kind: 'resources-exhausted', detail: '' },
    { kind: 'sandbox-missing', excerpt: '' },
    { kind: 'cli-missing', detail: '' },
    { kind: 'runner-unavailable', excerpt: '' },
  ])('takes no note of an attempt that never reached its model: $kind', (failure) => {
    const health = new ModelHealth({ clock: new FakeClock() });
    health.record(attemptOf('pro', 10, failure));
    expect(health.report(['pro'])).toEqual([{ model: 'pro', ...unknown }]);
    expect(health.models).toEqual([]);
  });

  it('knows the models that were asked in the last hour', async () => {
    const clock = new FakeClock(startMs);
    const health = new ModelHealth({ clock });
    health.record(attemptOf('pro', 10));
    await clock.advance(hourMs / 2);
    health.record(attemptOf('flash', 10));
    expect(health.models).toEqual(['pro', 'flash']);
    await clock.advance(hourMs / 2);
    expect(health.models).toEqual(['flash']);
  });

  it('forgets an attempt after an hour', async () => {
    const clock = new FakeClock();
    const health = new ModelHealth({ clock });
    health.record(attemptOf('pro', 10));
    await clock.advance(hourMs - 1);
    expect(health.report(['pro'])).toMatchObject([{ attempts: 1 }]);
    await clock.advance(1);
    expect(health.report(['pro'])).toEqual([{ model: 'pro', ...unknown }]);
  });

  it('keeps the last 50 attempts of a model', () => {
    const health = new ModelHealth({ clock: new FakeClock() });
    health.record(attemptOf('pro', 10, overloaded));
    for (let count = 0; count < 50; count += 1) {
      health.record(attemptOf('pro', 10));
    }
    expect(health.report(['pro'])).toMatchObject([{ attempts: 50, answered: 50, lastFailure: null }]);
  });

  it('keeps the 100 models that were asked last', () => {
    const health = new ModelHealth({ clock: new FakeClock() });
    health.record(attemptOf('pro', 10));
    health.record(attemptOf('flash', 10));
    health.record(attemptOf('pro', 10));
    for (let count = 1; count <= 99; count += 1) {
      health.record(attemptOf(`model ${count}`, 10));
    }
    expect(health.report(['pro', 'flash', 'model 1']).map(({ attempts }) => attempts)).toEqual([2, 0, 1]);
  });
});

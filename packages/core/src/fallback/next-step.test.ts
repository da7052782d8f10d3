import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import { selectModelChain } from './model-chain.ts';
import { afterStep, type FallbackState, type NextStep, nextStep, startOfChain } from './next-step.ts';

const excerpt = '';
const overloaded: GeminiFailure = { kind: 'overloaded', excerpt };
const network: GeminiFailure = { kind: 'network', excerpt };
const spent: GeminiFailure = { kind: 'quota-exhausted', excerpt };
const rejected: GeminiFailure = { kind: 'authentication', problem: 'rejected', excerpt };
const limited = (retryAfterMs: number | null): GeminiFailure => ({ kind: 'rate-limited', retryAfterMs, excerpt });

const giveUp: NextStep = { type: 'give-up' };
const nextModel: NextStep = { type: 'next-model', model: 'b' };
const retry = (delayMs: number): NextStep => ({ type: 'retry', delayMs });

describe('nextStep', () => {
  it.each<[string, GeminiFailure, Partial<FallbackState>, NextStep]>([
    ['retries what may pass in a moment', overloaded, {}, retry(500)],
    ['doubles the delay', overloaded, { retries: 1 }, retry(1_000)],
    ['leaves a model after two retries', overloaded, { retries: 2 }, nextModel],
    ['gives up on the last model', overloaded, { retries: 2, laterModels: [] }, giveUp],
    ['waits for as long as it was asked to', limited(5_000), {}, retry(5_500)],
    ['waits a moment without a requested delay', limited(null), {}, retry(500)],
    ['waits up to the last useful moment', limited(8_500), {}, retry(9_000)],
    ['takes the next model where the delay is too long', limited(8_501), {}, nextModel],
    ['gives up where the delay is too long and no model is left', limited(8_501), { laterModels: [] }, giveUp],
    ['takes no other model for what no model changes', network, { retries: 2 }, giveUp],
    ['retries what no model changes', network, {}, retry(500)],
    ['takes the next model at once where a quota is spent', spent, {}, nextModel],
    ['gives up where the last quota is spent', spent, { laterModels: [] }, giveUp],
    ['gives up at once if no model will answer', rejected, {}, giveUp],
    ['takes the next model while there is time for a run', spent, { deadlineAtMs: 1_000 }, nextModel],
    ['begins no run that could only time out', spent, { deadlineAtMs: 999 }, giveUp],
    ['begins no retry that could only time out', overloaded, { deadlineAtMs: 1_499, laterModels: [] }, giveUp],
  ])('%s', (_, failure, known, step) => {
    const state = { model: 'a', laterModels: ['b', 'c'], retries: 0, deadlineAtMs: 10_000, ...known };
    expect(nextStep(state, failure, { nowMs: 0, random: 0.5 })).toEqual(step);
  });
});

describe('afterStep', () => {
  const state: FallbackState = { model: 'a', laterModels: ['b', 'c'], retries: 1, deadlineAtMs: 10 };

  it.each<[NextStep, FallbackState]>([
    [retry(1), { ...state, retries: 2 }],
    [nextModel, { model: 'b', laterModels: ['c'], retries: 0, deadlineAtMs: 10 }],
    [giveUp, state],
  ])('%j', (step, after) => {
    expect(afterStep(state, step)).toEqual(after);
  });

  it('begins with the first model of a chain', () => {
    expect(startOfChain(['a', 'b', 'c'], 10)).toEqual({ ...state, retries: 0 });
  });
});

type Step = { readonly model: string; readonly failure: GeminiFailure; readonly step: NextStep; readonly atMs: number };

const anyFailure = fc.oneof(
  fc.constantFrom(overloaded, network, spent, rejected),
  fc.option(fc.nat({ max: 120_000 })).map(limited),
);

/** A call whose every attempt fails, as it would go: each run takes its time, each delay is waited out. */
const failingCall = fc
  .record({
    chain: fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 5 }),
    explicitModel: fc.option(fc.string()),
    failures: fc.infiniteStream(anyFailure),
    runsMs: fc.infiniteStream(fc.nat({ max: 30_000 })),
    randoms: fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
    timeoutMs: fc.nat({ max: 900_000 }),
  })
  .map(({ chain: [first = '', ...others], explicitModel, failures, runsMs, randoms, timeoutMs }) => {
    const chain = selectModelChain(explicitModel, [first, ...others]);
    const steps: Step[] = [];
    let state = startOfChain(chain, timeoutMs);
    let nowMs = 0;
    // Three runs a model are the most that there may be; one more shows that there are more.
    for (let attempts = 0; attempts < chain.length * 3 + 1 && steps.at(-1)?.step.type !== 'give-up'; attempts += 1) {
      nowMs += runsMs.next().value ?? 0;
      const failure = failures.next().value ?? overloaded;
      const step = nextStep(state, failure, { nowMs, random: randoms.next().value ?? 0 });
      steps.push({ model: state.model, failure, step, atMs: nowMs });
      nowMs += step.type === 'retry' ? step.delayMs : 0;
      state = afterStep(state, step);
    }
    return { chain, timeoutMs, steps };
  });

function withoutRepeats(models: readonly string[]): readonly string[] {
  return models.filter((model, index) => model !== models[index - 1]);
}

describe('a call that fails again and again', () => {
  it('comes to an end after three runs a model at most', () => {
    fc.assert(
      fc.property(failingCall, ({ chain, steps }) => {
        expect(steps.at(-1)?.step.type).toBe('give-up');
        for (const model of chain) {
          expect(steps.filter((step) => step.model === model).length).toBeLessThanOrEqual(3);
        }
      }),
    );
  });

  it('meets each model once, in the order of the chain, and an explicit one alone', () => {
    fc.assert(
      fc.property(failingCall, ({ chain, steps }) => {
        const met = withoutRepeats(steps.map(({ model }) => model));
        expect(met).toEqual(chain.slice(0, met.length));
      }),
    );
  });

  it('never waits past its deadline, nor begins what could not end before it', () => {
    fc.assert(
      fc.property(failingCall, ({ timeoutMs, steps }) => {
        for (const { step, atMs } of steps) {
          const beginsAtMs = step.type === 'retry' ? atMs + step.delayMs : atMs;
          expect(step.type === 'give-up' || beginsAtMs + 1_000 <= timeoutMs).toBe(true);
        }
      }),
    );
  });

  it('never comes back sooner than it was asked to', () => {
    fc.assert(
      fc.property(failingCall, ({ steps }) => {
        for (const { step, failure } of steps) {
          const askedMs = failure.kind === 'rate-limited' ? (failure.retryAfterMs ?? 0) : 0;
          expect(step.type !== 'retry' || (step.delayMs >= askedMs && step.delayMs <= askedMs + 16_000)).toBe(true);
        }
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { ModelCall } from '../inside-the-cli/model-call.ts';
import { ModelCalls } from './model-calls.ts';

const usage = { inputTokens: 10, outputTokens: 2, thoughtTokens: 0, cachedTokens: 0, toolTokens: 0 };
const call: ModelCall = {
  isStreamed: true,
  model: 'asked',
  isWhole: true,
  finishReason: 'STOP',
  blockReason: null,
  modelVersion: null,
  usage,
};
const told = [{ model: 'told', inputTokens: 1, outputTokens: 1 }];

function calls(...made: readonly ModelCall[]): ModelCalls {
  const all = new ModelCalls();
  for (const one of made) {
    all.add(one);
  }
  return all;
}

describe('ModelCalls', () => {
  it('sums the usage of requests, by the model that answered, otherwise by the requested one', () => {
    const answered = { ...call, modelVersion: 'answered', usage: { ...usage, thoughtTokens: 3 } };
    expect(calls(call, answered, call).usageOr(told)).toEqual([
      { model: 'asked', inputTokens: 20, outputTokens: 4 },
      { model: 'answered', inputTokens: 10, outputTokens: 2, thoughtTokens: 3 },
    ]);
  });

  it.each([
    ['no request was reported', []],
    ['requests failed', [{ ...call, isWhole: false }]],
    ['the API told no counts', [{ ...call, usage: null }]],
    ['no model is known', [{ ...call, model: null }]],
  ])('goes by what the CLI told where %s', (_, made) => {
    expect(calls(...made).usageOr(told)).toBe(told);
  });

  it('takes the ending from the last request of the answer, not from one of a tool', () => {
    const ofTool = { ...call, isStreamed: false, finishReason: 'MAX_TOKENS' };
    expect(calls(call, ofTool).ending).toEqual({ ending: { type: 'complete' } });
    expect(calls(call, { ...call, isWhole: false }).ending).toEqual({});
    expect(calls().ending).toEqual({});
  });
});

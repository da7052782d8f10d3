import { describe, expect, it } from 'vitest';
import { defaultModelChain } from '../fallback/model-chain.ts';
import { describeRetirement } from './retired-models.ts';

const day = Date.UTC(2026, 11, 1);

describe('describeRetirement', () => {
  it('describes a coming shutdown, and a past one (MODEL-02)', () => {
    expect(describeRetirement('gemini-2.5-pro', day - 1)).toBe(
      'Google shuts gemini-2.5-pro down on 2026-12-01 on the Gemini API (Vertex AI has dates of its own): from then on gemini-3.8-flash answers in its place, at its own price.',
    );
    expect(describeRetirement('gemini-2.5-flash', day)).toBe(
      'Google shut gemini-2.5-flash down on 2026-12-01 on the Gemini API (Vertex AI has dates of its own): since then gemini-3.5-flash-lite answers in its place, at its own price.',
    );
  });

  it.each(['gemini-2.5-flash-lite', 'gemini-3.8-flash', 'a-model-of-tomorrow', ''])('knows nothing of %j', (model) => {
    expect(describeRetirement(model, day)).toBeNull();
  });

  it('knows nothing of a model of the default chain (MODEL-03)', () => {
    expect(defaultModelChain.map((model) => describeRetirement(model, day))).toEqual(defaultModelChain.map(() => null));
  });
});

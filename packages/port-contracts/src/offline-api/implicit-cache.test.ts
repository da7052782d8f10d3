import { describe, expect, it } from 'vitest';
import { type CacheableRequest, ImplicitCache } from './implicit-cache.ts';

const large = 'x'.repeat(40_000);
const largeTokens = 10_000;

const plain: CacheableRequest = { model: 'gemini-3.8-flash', apiKey: 'key', systemText: '', contents: [] };

function asking(text: string, known: Partial<CacheableRequest> = {}): CacheableRequest {
  return { ...plain, contents: [{ role: 'user', parts: [{ text }] }], ...known };
}

function arrange(): { readonly cache: ImplicitCache; readonly pass: (durationMs: number) => void } {
  let nowMs = 0;
  const pass = (durationMs: number): void => {
    nowMs += durationMs;
  };
  return { cache: new ImplicitCache({ now: () => nowMs }), pass };
}

describe('ImplicitCache', () => {
  it('contains the beginning that a request shares with an earlier one', () => {
    const { cache } = arrange();
    expect(cache.take(asking(`${large}Why?`))).toBeNull();
    expect(cache.take(asking(`${large}How?`))).toBe(largeTokens);
    expect(cache.take(asking(`${large}How?`)), 'the same once more').toBe(largeTokens + 1);
  });

  it('is empty if the first byte differs, for another model or key, and after five minutes', () => {
    const { cache, pass } = arrange();
    cache.take(asking(large));
    expect(cache.take(asking(`y${large}`))).toBeNull();
    expect(cache.take(asking(large, { systemText: 'Be terse.' }))).toBeNull();
    expect(cache.take(asking(large, { model: 'gemini-3.5-flash-lite' }))).toBeNull();
    expect(cache.take(asking(large, { apiKey: 'another' }))).toBeNull();
    pass(300_000);
    expect(cache.take(asking(large))).toBeNull();
  });

  it('compares media, and turns one by one', () => {
    const { cache } = arrange();
    const conversation = (data: string): CacheableRequest =>
      asking('', {
        contents: [
          { role: 'user', parts: [{ text: large }, { inlineData: { mimeType: 'image/png', data } }] },
          { role: 'model', parts: [{ text: large }] },
        ],
      });
    cache.take(conversation('AA=='));
    expect(cache.take(conversation('AA=='))).toBe(2 * largeTokens + 258);
    expect(cache.take(conversation('AB=='))).toBe(largeTokens);
  });

  it.each([
    ['gemini-2.5-pro', 2_048],
    ['gemini-3.8-flash', 4_096],
    ['gemini-4-carbon', 4_096],
    ['gemini-4-argon', 6_144],
  ])('counts for %s from %d tokens on', (model, tokens) => {
    const { cache } = arrange();
    const beginning = 'x'.repeat(4 * tokens);
    cache.take(asking(`${beginning}a`, { model }));
    expect(cache.take(asking(`${beginning}b`, { model }))).toBe(tokens);
    const shorter = beginning.slice(4);
    cache.take(asking(`y${shorter}a`, { model }));
    expect(cache.take(asking(`y${shorter.slice(1)}b`, { model }))).toBeNull();
  });
});

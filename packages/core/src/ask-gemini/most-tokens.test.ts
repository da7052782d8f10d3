import { describe, expect, it } from 'vitest';
import { mayExceedTokens, mostMediaTokens } from './prepare-message.ts';

describe('mayExceedTokens', () => {
  it.each([
    ['code', 'const a = b(c);\n', 0.6],
    ['digits', '0123456789', 1.2],
    ['Chinese', '人工智能', 1.2],
    ['Cyrillic', 'Привет', 1.2],
  ])('takes %s for at most %s tokens a character', (_, words, tokensPerCharacter) => {
    const text = words.repeat(1_000);
    const tokens = Math.ceil(text.length * tokensPerCharacter) + 1;
    expect(mayExceedTokens(text, tokens)).toBe(false);
    expect(mayExceedTokens(text, Math.floor(text.length * tokensPerCharacter * 0.99))).toBe(true);
  });

  it('takes a text of several for their sum', () => {
    const text = `${'x'.repeat(100)}${'長'.repeat(100)}`;
    expect(mayExceedTokens(text, 180)).toBe(false);
    expect(mayExceedTokens(text, 179)).toBe(true);
  });
});

describe('mostMediaTokens', () => {
  it.each([
    ['image/png', 9_000_000, 3_000, 3_000],
    ['application/pdf', 1_000, 25_800, 25_800],
    ['application/pdf', 1_600_000, 25_800, 100_000],
    ['application/pdf', 50_000_000, 25_800, 258_000],
    ['audio/mpeg', 500_000, 1_000, 2_000],
  ])('of %s with %d bytes, estimated at %d, are %d', (mediaType, bytes, estimatedTokens, tokens) => {
    expect(mostMediaTokens({ path: 'a', mediaType, bytes, estimatedTokens })).toBe(tokens);
  });
});

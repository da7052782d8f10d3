import { createRedactor } from '@gemini-mcp/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showExcerpt } from './show-excerpt.ts';

const key = 'AIzaFake-_0123456789abcdefghijklmnopqrs';
const redact = createRedactor([key]);

describe('showExcerpt', () => {
  it('shows the beginning or the end, at most so much', () => {
    const text = 'abcdefgh';
    expect(showExcerpt({ text, part: 'beginning', isCut: false }, { maxCharacters: 3, redact })).toBe('abc');
    expect(showExcerpt({ text, part: 'end', isCut: false }, { maxCharacters: 3, redact })).toBe('fgh');
    expect(showExcerpt({ text, part: 'end', isCut: false }, { maxCharacters: 30, redact })).toBe(text);
  });

  it('redacts before it cuts', () => {
    const text = `12345${key}`;
    expect(showExcerpt({ text, part: 'beginning', isCut: false }, { maxCharacters: 20, redact })).toBe(
      '12345[redacted]',
    );
  });

  it('SECRET-05: shows no half of a key that an earlier cut went through, however short redaction makes the rest', () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: key.length - 1 }), fc.integer({ min: 0, max: 2_000 }), (half, keys) => {
        const rest = ` ${key}`.repeat(keys);
        const options = { maxCharacters: 4_096, redact };
        const end = showExcerpt({ text: key.slice(-half) + rest, part: 'end', isCut: true }, options);
        const beginning = showExcerpt({ text: rest + key.slice(0, half), part: 'beginning', isCut: true }, options);
        expect(end).not.toContain(key.slice(-half));
        expect(beginning).not.toContain(key.slice(0, half));
        expect(Math.max(end.length, beginning.length)).toBeLessThanOrEqual(4_096);
      }),
    );
  });
});

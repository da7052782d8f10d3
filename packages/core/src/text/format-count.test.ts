import { describe, expect, it } from 'vitest';
import { countOf, formatCount } from './format-count.ts';

describe('formatCount', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [12_345, '12,345'],
    [1_048_576, '1,048,576'],
  ])('writes %d as %s', (count, text) => {
    expect(formatCount(count)).toBe(text);
  });
});

describe('countOf', () => {
  it.each([
    [0, '0 files'],
    [1, '1 file'],
    [2, '2 files'],
    [1_000, '1,000 files'],
  ])('%d: %s', (count, text) => {
    expect(countOf(count, 'file')).toBe(text);
  });
});

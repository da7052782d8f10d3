import { describe, expect, it } from 'vitest';
import { excerptFrom } from './excerpt-from.ts';

describe('excerptFrom', () => {
  it.each([
    ['', ''],
    [' \n', ''],
    ['\n said \n', 'said'],
    [`${'a'.repeat(499)}bc`, `${'a'.repeat(499)}b`],
  ])('shows the beginning of %j', (text, excerpt) => {
    expect(excerptFrom(text)).toBe(excerpt);
  });
});

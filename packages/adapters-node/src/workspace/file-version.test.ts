import { describe, expect, it } from 'vitest';
import { type FileVersion, isSameVersion, isSettled } from './file-version.ts';

const version: FileVersion = { dev: 1n, ino: 2n, size: 3n, mtimeNs: 5_000_000_000n, ctimeNs: 5_000_000_000n };

describe('isSameVersion', () => {
  it('sees each difference', () => {
    expect(isSameVersion(version, { ...version })).toBe(true);
    for (const field of ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const) {
      expect(isSameVersion(version, { ...version, [field]: version[field] + 1n })).toBe(false);
    }
  });
});

describe('isSettled', () => {
  it.each([
    ['long after its last change', 5_000n, 5_000n, true],
    ['a moment after its contents changed', 8_999n, 5_000n, false],
    ['a moment after anything else about it changed', 5_000n, 8_999n, false],
    ['with a time in the future', 5_000n, 99_000n, false],
  ])('%s: %s, %s', (_, mtimeMs, ctimeMs, expected) => {
    const times = { mtimeNs: mtimeMs * 1_000_000n, ctimeNs: ctimeMs * 1_000_000n };
    expect(isSettled({ ...version, ...times }, 10_000)).toBe(expected);
  });
});

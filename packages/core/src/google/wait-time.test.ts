import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDuration, readRetryAfter, toWaitMs } from './wait-time.ts';

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 10, 22, 12, 0, 0);

describe('readRetryAfter', () => {
  it.each<[string | null, number | null]>([
    [null, null],
    ['', null],
    ['7', 7_000],
    [' 7 ', 7_000],
    ['0.5', 500],
    ['0', 0],
    ['-7', null],
    ['7s', null],
    ['1e3', null],
    ['9'.repeat(400), dayMs],
    ['Sun, 22 Nov 2026 12:01:30 GMT', 90_000],
    ['Sun, 22 Nov 2026 11:59:00 GMT', 0],
    ['Sat, 22 Nov 2036 12:00:00 GMT', dayMs],
    ['Sun, 99 Nov 2026 12:00:00 GMT', null],
    ['tomorrow', null],
    ['2026-11-22', null],
  ])('reads %j', (header, timeMs) => {
    expect(readRetryAfter(header, nowMs)).toBe(timeMs);
  });
});

describe('readDuration', () => {
  it.each<[unknown, number | null]>([
    ['41s', 41_000],
    ['0.500000001s', 501],
    ['0s', 0],
    ['-1s', null],
    ['1e309s', null],
    [`${'9'.repeat(400)}s`, dayMs],
    ['41', null],
    [' 41s', null],
    ['1h', null],
    [41, null],
    [null, null],
    [{ seconds: '41', nanos: 500_000_001 }, 41_501],
    [{ nanos: 1_000_000 }, 1],
    [{ seconds: -1 }, null],
    [{ seconds: Number.NaN }, null],
    [{ seconds: Number.POSITIVE_INFINITY }, dayMs],
    [{ seconds: {} }, null],
  ])('reads %j', (value, timeMs) => {
    expect(readDuration(value)).toBe(timeMs);
  });
});

it('a time to wait is whole, none below 0 and none above a day, whatever is made one', () => {
  fc.assert(
    fc.property(fc.double(), fc.string(), fc.anything(), (number, text, value) => {
      const times = [toWaitMs(number), readRetryAfter(text, nowMs), readDuration(value), readDuration(`${number}s`)];
      for (const timeMs of times.filter((time) => time !== null)) {
        expect(Number.isSafeInteger(timeMs) && timeMs >= 0 && timeMs <= dayMs).toBe(true);
      }
    }),
  );
});

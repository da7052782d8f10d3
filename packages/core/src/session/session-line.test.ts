import { expect, it } from 'vitest';
import { sessionLine } from './session-line.ts';

const summary = { id: 'id-1', title: 'Why?', turns: 4, updatedAtMs: 1_764_000_000_000 };

it.each([
  ['a session', {}, 'id-1 "Why?" (4 turns, 2025-11-24T16:00:00.000Z)'],
  [
    'what a stranger wrote on one line',
    { title: 'a\n\u202eb', turns: 1 },
    'id-1 "a\\u{a}\\u{202e}b" (1 turn, 2025-11-24T16:00:00.000Z)',
  ],
  ['an invalid time', { updatedAtMs: Number.NaN }, 'id-1 "Why?" (4 turns, at an unknown time)'],
  ['a time beyond all dates', { updatedAtMs: 1e300 }, 'id-1 "Why?" (4 turns, at an unknown time)'],
])('shows %s', (_, known, line) => {
  expect(sessionLine({ ...summary, ...known })).toBe(line);
});

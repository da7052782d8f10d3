import { expect, it } from 'vitest';
import type { UsageEntry } from '../ports/usage-ledger.ts';
import type { ModelPrice } from './model-prices.ts';
import { type UsageGroup, UsageSummary } from './summarize-usage.ts';

const prices: readonly ModelPrice[] = [
  { models: ['pro'], input: 2, output: 10 },
  { models: ['flash'], input: 1, output: 1 },
];

const pro = { model: 'pro', inputTokens: 1_000_000, outputTokens: 50_000, thoughtTokens: 50_000, cachedTokens: 10 };
const flash = { model: 'flash', inputTokens: 500_000, outputTokens: 0, toolTokens: 500_000 };

const entries: readonly UsageEntry[] = [
  call({ atMs: Date.UTC(2026, 10, 30), owner: 'alice', tool: 'gemini_query', client: 'codex', usage: [pro, flash] }),
  call({ atMs: Date.UTC(2026, 11, 1), owner: 'bob', tool: 'chat', backend: 'Gemini CLI', usage: [flash] }),
  call({ atMs: Date.UTC(2026, 10, 1), owner: 'bob', outcome: 'quota', backend: null }),
  call({ atMs: Date.UTC(2026, 10, 30), tool: 'chat', usage: [{ model: 'new', inputTokens: 7, outputTokens: 3 }] }),
];

function call(fields: Partial<UsageEntry>): UsageEntry {
  const nothing = { atMs: 0, owner: '', tool: null, client: null, backend: 'Gemini API', usage: [] };
  return { ...nothing, outcome: 'answered', durationMs: 1, ...fields };
}

function summaryBy(group: UsageGroup): UsageSummary {
  const summary = new UsageSummary(group, prices);
  summary.add(entries);
  return summary;
}

it.each<[UsageGroup, readonly (readonly [string | null, number, number])[]]>([
  [
    'model',
    [
      ['pro', 1, 3],
      ['flash', 2, 2],
      ['new', 1, 0],
      [null, 1, 0],
    ],
  ],
  [
    'tool',
    [
      ['gemini_query', 1, 4],
      ['chat', 2, 1],
      [null, 1, 0],
    ],
  ],
  [
    'client',
    [
      ['codex', 1, 4],
      [null, 3, 1],
    ],
  ],
  [
    'backend',
    [
      ['Gemini API', 2, 4],
      ['Gemini CLI', 1, 1],
      [null, 1, 0],
    ],
  ],
  [
    'principal',
    [
      ['alice', 1, 4],
      ['bob', 2, 1],
      ['', 1, 0],
    ],
  ],
  [
    'day',
    [
      ['2026-11-01', 1, 0],
      ['2026-11-30', 2, 4],
      ['2026-12-01', 1, 1],
    ],
  ],
  [
    'month',
    [
      ['2026-11', 3, 4],
      ['2026-12', 1, 1],
    ],
  ],
])('counts calls and cost by %s', (group, expected) => {
  expect(summaryBy(group).rows.map(({ name, calls, cost }) => [name, calls, cost])).toEqual(expected);
});

it('counts each call once in the total, whatever the group', () => {
  const total = {
    name: null,
    calls: 4,
    failed: 1,
    inputTokens: 3_000_007,
    cachedTokens: 10,
    outputTokens: 100_003,
    cost: 5,
    unpricedTokens: 10,
  };
  expect([summaryBy('model').total, summaryBy('day').total]).toEqual([total, total]);
});

it('has no rows and a total of nothing without entries', () => {
  const { rows, total } = new UsageSummary('model', prices);
  expect([rows, total.calls]).toEqual([[], 0]);
});

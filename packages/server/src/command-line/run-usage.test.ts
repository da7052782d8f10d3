import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UsageEntry } from '@gemini-mcp/core';
import { InMemoryUsageLedger } from '@gemini-mcp/core/internal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UsageMode } from './parse-command-line.ts';
import { runUsage, type UsagePlace } from './run-usage.ts';

const signal = new AbortController().signal;
const nowMs = Date.UTC(2026, 10, 28, 12);
const mode: UsageMode = { kind: 'usage', by: 'model', since: null, json: false, pricesFile: null };

const entry: UsageEntry = {
  ...{ atMs: Date.UTC(2026, 10, 2), owner: 'a'.repeat(64), tool: 'chat', client: null, backend: null },
  ...{ outcome: 'answered', durationMs: 1 },
  usage: [{ model: 'gemini-3.8-flash', inputTokens: 2_000_000, outputTokens: 1_000, cachedTokens: 3_000 }],
};

function placeWith(...entries: readonly UsageEntry[]): UsagePlace {
  const ledger = new InMemoryUsageLedger();
  for (const each of entries) {
    ledger.record(each);
  }
  return { ledger, nowMs, names: new Map([['b'.repeat(64), 'bob']]) };
}

it('prints a table of this month', async () => {
  const before = { ...entry, atMs: Date.UTC(2026, 9, 31, 23, 59) };
  const other = {
    ...entry,
    outcome: 'quota',
    usage: [{ model: 'gemini-9\u001b[2J', inputTokens: 5, outputTokens: 0 }],
  };
  const { output, note, exitCode } = await runUsage(mode, placeWith(before, entry, other), signal);
  expect(output).toBe(
    [
      'Model              Calls  Failed      Input  Cached  Output   Cost',
      'gemini-3.8-flash       1       0  2,000,000   3,000   1,000  $1.50',
      'gemini-9\\u{1b}[2J      1       1          5       0       0  $0.00',
      'Total                  2       1  2,000,005   3,000   1,000  $1.50',
      '',
    ].join('\n'),
  );
  expect(note).toMatch(/^Since 2026-11-01, in UTC\. .* 5 tokens are of models without a known price\.\n$/);
  expect(exitCode).toBe(0);
});

it('shows principals by name, and others by the beginning of their id', async () => {
  const bobs = { ...entry, owner: 'b'.repeat(64), usage: [] };
  const { output } = await runUsage({ ...mode, by: 'principal' }, placeWith(entry, bobs), signal);
  expect(output.split('\n').slice(1, 3)).toEqual([
    expect.stringMatching(/^aaaaaaaaaaaa {2,}1 /),
    expect.stringMatching(/^bob {2,}1 /),
  ]);
});

it.each([
  [{ days: 1 }, '2026-11-28', 0],
  [{ days: 27 }, '2026-11-02', 1],
  [{ day: '2026-11-03' }, '2026-11-03', 0],
  [{ day: '2026-11-02' }, '2026-11-02', 1],
])('counts since %j', async (since, day, calls) => {
  const { output } = await runUsage({ ...mode, since, json: true }, placeWith(entry), signal);
  expect(JSON.parse(output)).toMatchObject({ since: day, by: 'model', total: { calls } });
});

it('says that nothing has been recorded', async () => {
  const { output, note, exitCode } = await runUsage(mode, placeWith(), signal);
  expect({ output, note, exitCode }).toEqual({
    output: '',
    note: 'No call to Gemini has been recorded since 2026-11-01.\n',
    exitCode: 0,
  });
});

describe('a file with prices', () => {
  let directory: string;
  const run = async (text: string): Promise<string> => {
    const pricesFile = join(directory, 'prices.json');
    await writeFile(pricesFile, text);
    const { output } = await runUsage({ ...mode, json: true, pricesFile }, placeWith(entry), signal);
    return JSON.parse(output).total.cost;
  };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'prices-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('that is missing is refused', async () => {
    const pricesFile = join(directory, 'missing.json');
    const running = runUsage({ ...mode, pricesFile }, placeWith(entry), signal);
    await expect(running).rejects.toThrow('--prices: the file cannot be read');
  });

  it('replaces ours', async () => {
    expect(await run('[{"models":["gemini-3.8-flash"],"input":3,"output":0}]')).toBe(6);
  });

  it.each([
    ['', 'it is not JSON'],
    ['{}', 'it is not a list'],
    ['[{"models":["a"],"input":3,"output":0},null]', 'its entry 2 is not a price'],
    ['[{"models":[],"input":3,"output":0}]', 'its entry 1 is not a price'],
    ['[{"models":["a"],"input":-3,"output":0}]', 'its entry 1 is not a price'],
    ['[{"models":["a"],"input":3,"output":0,"from":"soon"}]', 'its entry 1 is not a price'],
    ['[{"models":["a"],"input":3,"output":0,"above":{"inputTokens":"2"}}]', 'its entry 1 is not a price'],
    ['[{"models":["a"],"input":3,"output":0,"forever":1}]', 'its entry 1 is not a price'],
  ])('with %j is refused', async (text, reason) => {
    await expect(run(text)).rejects.toThrow(`--prices: ${reason}`);
  });
});

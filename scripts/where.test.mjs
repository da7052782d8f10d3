// docs/where.md leads to what it names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rootDirectory } from './run-step.mjs';

const rows = [
  ...readFileSync(join(rootDirectory, 'docs/where.md'), 'utf8').matchAll(
    /^\| (.+?) \| \[.+?\]\(\.\.\/(.+?)\) \| `(\w+)` \|$/gm,
  ),
].map(([, rule, path, symbol]) => ({ rule, path, symbol }));

it('has a row for each of 60 rules, and each once', () => {
  expect(rows.length).toBeGreaterThanOrEqual(60);
  expect(new Set(rows.map(({ rule }) => rule)).size).toBe(rows.length);
});

it.each(rows)('$rule: $path exports $symbol', ({ path, symbol }) => {
  const text = readFileSync(join(rootDirectory, path), 'utf8');
  expect(text).toMatch(new RegExp(`^export (?:async )?(?:function|class|const|abstract class) ${symbol}\\b`, 'm'));
});

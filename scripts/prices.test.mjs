// docs/configuration.md has one table of prices, with the first day of each. No other text may disagree with it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { modelPrices } from '../packages/core/src/usage/model-prices.ts';
import { rootDirectory } from './run-step.mjs';

const read = (path) => readFileSync(join(rootDirectory, path), 'utf8');

/** The rows of the table that begins with this line, as cells. */
function tableIn(path, head) {
  const [, after = ''] = read(path).split(`${head}\n`);
  const [body] = after.split('\n\n', 1);
  return body
    .split('\n')
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const prices = tableIn('docs/configuration.md', '| Model | Input | Output | When |');
const change = /^(until|from) (\d{4}-\d\d-\d\d)$/;
const dayMs = 86_400_000;

it('a changed price is given for the last day before and from the day of the change on', () => {
  const changing = prices.filter(([, , , when]) => change.test(when));
  const firstDays = new Map(
    changing.flatMap(([models, , , when]) => (when.startsWith('from ') ? [[models, when]] : [])),
  );
  expect([...firstDays]).toEqual([
    ['`gemini-4-carbon`, `gemini-4-argon`', 'from 2026-12-01'],
    ['`gemini-3.8-flash`', 'from 2027-01-01'],
  ]);
  const expected = [...firstDays].flatMap(([models, from]) => {
    const lastDay = new Date(Date.parse(from.split(' ')[1]) - dayMs).toISOString().slice(0, 10);
    return [
      [models, `until ${lastDay}`],
      [models, from],
    ];
  });
  expect(changing.map(([models, , , when]) => [models, when])).toEqual(expected);
});

it('the command `usage` counts with the prices of the table', () => {
  const shown = modelPrices.map(({ models, from, input, output, above }) => {
    const next = modelPrices.find((other) => other.from !== undefined && other.models.includes(models[0]));
    const until = new Date(Date.parse(next?.from) - dayMs);
    return [
      models.map((model) => `\`${model}\``).join(', '),
      `$${input.toFixed(2)}`,
      `$${output.toFixed(2)}`,
      from === undefined
        ? next === undefined
          ? limitOf(above)
          : `until ${until.toISOString().slice(0, 10)}`
        : `from ${from}`,
    ];
  });
  expect(shown).toEqual(prices);
});

const limitOf = (above) =>
  above === undefined ? '' : `up to ${above.inputTokens.toLocaleString('en')} input tokens, twice that above`;

it('the cents of a question follow from the prices', () => {
  const path = 'docs/before-and-after.md';
  const [, inputTokens, outputTokens] = /about ([\d,]+) tokens, and\s+a short answer\s+about (\d+):/.exec(read(path));
  const tokens = [inputTokens, outputTokens].map((count) => Number(count.replaceAll(',', '')));
  const cents = prices
    .filter(([, , , when]) => change.test(when))
    .map(([models, input, output, when]) => {
      const dollars = [input, output].map((price, at) => (Number(price.slice(1)) * tokens[at]) / 1e6);
      return [models, `${Number(((dollars[0] + dollars[1]) * 100).toFixed(1))} cents`, when];
    });
  expect(tableIn(path, '| Model | One such question | When |')).toEqual(cents);
});

it('no other line of a document or a source names a price of a model', () => {
  const pattern = '\\$[0-9]+(\\.[0-9]+)? (a|and|for|per|\\|)|[0-9] cents?\\b';
  const places = ['*.md', 'packages/*/src/**/*.ts', ':!docs/adr', ':!*.test.ts'];
  const lines = execFileSync('git', ['grep', '-hE', pattern, '--', ...places], {
    cwd: rootDirectory,
    encoding: 'utf8',
  });
  const isRow = (line) => /^\| `gemini-[^|]+\|/.test(line);
  expect(lines.split('\n').filter((line) => line !== '' && !isRow(line))).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiErrors } from './gemini-runner/gemini-runner-failures.contract.ts';
import * as contracts from './index.ts';

const document = readFileSync(new URL('../../../docs/contracts.md', import.meta.url), 'utf8');

it('the table of errors in docs/contracts.md matches the suite', () => {
  const [, told = ''] = document.split('| What the API sends | Failure |\n|---|---|\n');
  expect(told.split('\n\n', 1)[0]?.split('\n')).toEqual(
    Object.entries(apiErrors).map(([name, { situation, failure }]) => {
      const { type: _, ...sent } = situation;
      return `| ${name}: ${fields(sent)} | ${fields(failure)} |`;
    }),
  );
});

it('docs/contracts.md names only suites that this package has', () => {
  const named = [...document.matchAll(/\b(describe\w+Contract)\b/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(Object.keys(contracts)).toEqual(expect.arrayContaining(named));
});

function fields(object: object): string {
  return Object.entries(object)
    .map(([name, value]) => `\`${name}: ${value}\``)
    .join(', ');
}

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiErrors } from './gemini-runner-failures.contract.ts';

it('the table of errors in docs/contracts.md is the one that the suite expects', () => {
  const document = readFileSync(new URL('../../../docs/contracts.md', import.meta.url), 'utf8');
  const [, told = ''] = document.split('| What the API sends | Failure |\n|---|---|\n');
  expect(told.split('\n\n', 1)[0]?.split('\n')).toEqual(
    Object.entries(apiErrors).map(([name, { situation, failure }]) => {
      const { type: _, ...sent } = situation;
      return `| ${name}: ${fields(sent)} | ${fields(failure)} |`;
    }),
  );
});

function fields(object: object): string {
  return Object.entries(object)
    .map(([name, value]) => `\`${name}: ${value}\``)
    .join(', ');
}

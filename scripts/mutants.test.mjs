// The contract suites catch the wrong adapters that docs/generated/mutants.md lists.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { countMutants, formatMutants } from './count-mutants.mjs';
import { rootDirectory } from './run-step.mjs';

const document = join(rootDirectory, 'docs/generated/mutants.md');
const begin = '<!-- mutants: written by scripts/mutants.test.mjs, do not edit by hand -->';
const end = '<!-- end of mutants -->';

let ports = [];

// Every test for every mutant, where the document does not fit, takes a minute of work, and several on a busy machine.
const countingMs = 900_000;

beforeAll(async () => {
  ports = await countMutants(undefined, document);
}, countingMs);

it('every mutant is caught, and the suites pass for the right adapters', () => {
  expect(ports.flatMap(({ mutants }) => mutants).filter(({ caughtBy }) => caughtBy.length === 0)).toEqual([]);
});

it('docs/generated/mutants.md lists them (`npx vitest run scripts/mutants.test.mjs --update` writes it)', async () => {
  const text = readFileSync(document, 'utf8');
  const [before, rest = ''] = text.split(begin);
  const after = rest.slice(rest.indexOf(end));
  expect(after.startsWith(end), 'the marks around the tables').toBe(true);
  await expect(`${before}${begin}\n\n${formatMutants(ports, text)}\n\n${after}`).toMatchFileSnapshot(document);
});

it('an unknown port is reported, with the ports that have mutants', async () => {
  await expect(countMutants('printer')).rejects.toThrow(
    /No port is named "printer".*answer-store, approver, change-reader, clock, context-resolver, executor, gemini-runner, loopback-tool-server, record-store, session-store, tool-provider/,
  );
});

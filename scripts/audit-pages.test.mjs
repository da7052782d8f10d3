// The pages for auditors agree with the tests: each hostile case has tests that name it, each case that a test names has a row,
// and each boundary of SECURITY.md has its tests. `npx vitest run scripts/audit-pages.test.mjs --update` writes the columns.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { rootDirectory } from './run-step.mjs';

const casesPath = join(rootDirectory, 'docs/generated/hostile-input.md');
const boundariesPath = join(rootDirectory, 'docs/generated/boundaries.md');
const cases = readFileSync(casesPath, 'utf8');
const boundaries = readFileSync(boundariesPath, 'utf8');

const caseId = '[A-Z]+-(?:\\d{2}|[HML]\\d{1,2})';
const caseRow = new RegExp(`^\\| (${caseId}) \\| (.+) \\|[^|]*\\|$`, 'gm');
const testRow = /^\| (\[[^\]]+\]\(\.\.\/\.\.\/(.+?)\)) \| (.*) \|[^|]*\|$/gm;
const ids = [...cases.matchAll(caseRow)].map(([, id]) => id);
const areas = new Set(ids.map(areaOf));

const tests = execFileSync('git', ['ls-files', '-z', '*.test.ts', '*.test.mjs', '*.contract.ts'], {
  cwd: rootDirectory,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '')
  .map((path) => {
    const named = readFileSync(join(rootDirectory, path), 'utf8').match(new RegExp(`\\b${caseId}\\b`, 'g')) ?? [];
    return { path, named: new Set(named.filter((id) => areas.has(areaOf(id)))) };
  });

it('each hostile case has one row, and a test', () => {
  expect(ids.length).toBeGreaterThan(280);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => testsOf(id).length === 0)).toEqual([]);
});

it('each case that a test names has a row', () => {
  const missing = tests.flatMap(({ path, named }) =>
    [...named].filter((id) => !ids.includes(id)).map((id) => `${id}: ${path}`),
  );
  expect(missing).toEqual([]);
});

it('the tests of the cases are current', async () => {
  const written = cases.replace(
    caseRow,
    (_, id, cells) => `| ${id} | ${cells} | ${testsOf(id).map(linkTo).join(', ')} |`,
  );
  await expect(written).toMatchFileSnapshot(casesPath);
});

it('each boundary of SECURITY.md has a section under its number, with tests', () => {
  const promised = readFileSync(join(rootDirectory, 'SECURITY.md'), 'utf8').matchAll(/^(\d+\. )\*\*(.+)\.\*\*/gm);
  const sections = boundaries.split(/^## /m).slice(1);
  const proved = sections.filter((section) => /^\d+\. /.test(section) && section.search(testRow) > 0);
  expect(proved.map((section) => section.split('\n')[0])).toEqual(
    [...promised].map(([, number, name]) => number + name),
  );
});

it('the cases of the boundaries are current', async () => {
  const written = boundaries.replace(testRow, (_, link, path, note) => `| ${link} | ${note} | ${casesOf(path)} |`);
  await expect(written).toMatchFileSnapshot(boundariesPath);
});

function areaOf(id) {
  return id.split('-')[0];
}

/** In the order of their file names, which stays when files move. */
function testsOf(id) {
  const paths = tests.filter(({ named }) => named.has(id)).map(({ path }) => path);
  return paths.sort((one, other) => (basename(one) + one < basename(other) + other ? -1 : 1));
}

function casesOf(path) {
  return [...(tests.find((test) => test.path === path)?.named ?? [])].sort().join(', ');
}

function linkTo(path) {
  return `[${basename(path).replace(/(?:\.test)?\.m?[jt]s$/, '')}](../../${path})`;
}

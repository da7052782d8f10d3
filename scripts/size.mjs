// `npm run size`: counts lines and files of the shipped code and of its tests, and the public exports of the core. `npm run
// size -- --write` also writes the table into ARCHITECTURE.md.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const begin = '<!-- npm run size -- --write -->';
const end = '<!-- /size -->';

/** Packages that are never part of a server: suites, fakes, the offline API. */
const testPackages = new Set(['packages/port-contracts', 'packages/fake-gemini', 'packages/conformance']);
const testPath = /\.(test|contract)\.ts$|\/(testing|e2e|mutants)\//;

const sources = execFileSync('git', ['ls-files', '-z', 'packages/*.ts', 'apps/*.ts'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => /^[^/]+\/[^/]+\/(src|mutants)\//.test(path))
  .map((path) => ({ path, home: path.split('/').slice(0, 2).join('/'), lines: countLines(path) }));
const isTest = ({ path, home }) => testPackages.has(home) || testPath.test(path);
const product = sources.filter((source) => !isTest(source));
const tests = sources.filter(isTest);
const homes = [...new Set(product.map(({ home }) => home))].toSorted((one, other) => linesOf(other) - linesOf(one));

const table = [
  '| | Lines | Files | Lines of tests |',
  '|---|---:|---:|---:|',
  ...homes.map((home) => row(home, product.filter(ofHome(home)), tests.filter(ofHome(home)))),
  row(
    'suites, fakes, offline API',
    [],
    tests.filter(({ home }) => testPackages.has(home)),
  ),
  row('**all**', product, tests),
  '',
  `Public exports of the core: ${exportsOfCore()}. Files that one other file imports: ${onceImported()}.`,
].join('\n');

console.log(table);
if (process.argv.includes('--write')) {
  const path = join(root, 'ARCHITECTURE.md');
  const text = readFileSync(path, 'utf8');
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < before) {
    throw new Error(`ARCHITECTURE.md needs the lines ${begin} and ${end}, in this order.`);
  }
  writeFileSync(path, `${text.slice(0, before + begin.length)}\n\n${table}\n\n${text.slice(after)}`);
}

function countLines(path) {
  return readFileSync(join(root, path), 'utf8').split('\n').length - 1;
}

function ofHome(home) {
  return (source) => source.home === home;
}

function linesOf(home) {
  return sum(product.filter(ofHome(home)));
}

function sum(some) {
  return some.reduce((total, { lines }) => total + lines, 0);
}

function row(title, shipped, testing) {
  const cells = [shipped.length > 0 ? sum(shipped) : '', shipped.length > 0 ? shipped.length : '', sum(testing)];
  return `| ${[title, ...cells.map((cell) => cell.toLocaleString('en'))].join(' | ')} |`;
}

function exportsOfCore() {
  return /: (\d+) exports/.exec(readFileSync(join(root, 'docs/exports/core.txt'), 'utf8'))[1];
}

/** Product files with exactly one importer, tests not counted. */
function onceImported() {
  const importers = new Map(product.map(({ path }) => [path, 0]));
  for (const { path } of product) {
    const text = readFileSync(join(root, path), 'utf8');
    const imported = new Set(
      [...text.matchAll(/from '(\.[^']+)'|import\('(\.[^']+)'\)/g)].map(([, one, other]) =>
        join(path, '..', one ?? other),
      ),
    );
    for (const file of imported) {
      if (importers.has(file)) {
        importers.set(file, importers.get(file) + 1);
      }
    }
  }
  return [...importers.values()].filter((count) => count === 1).length;
}

// Follows each recipe of CONTRIBUTING.md in a copy of the tree, proves that what it adds works, counts the files, and removes it.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOf, follow, recipes, tableOfRecipes } from './recipes.mjs';
import { rootDirectory, toolCommand } from './run-step.mjs';

const copy = mkdtempSync(join(tmpdir(), 'gemini-mcp-recipes-'));
const names = ['packages', 'apps', 'docs', 'README.md', 'CONTRIBUTING.md', '.gitignore', 'package.json', 'biome.json'];
const settings = ['vitest.config.ts', 'test-durations.json', 'tsconfig.base.json', 'tsconfig.tests.json'];

beforeAll(() => {
  for (const name of [...names, ...settings]) {
    cpSync(join(rootDirectory, name), join(copy, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !/\/(?:dist|\.turbo)$/.test(path),
    });
  }
  symlinkSync(join(rootDirectory, 'node_modules'), join(copy, 'node_modules'));
  // Biome asks git which files to skip.
  spawnSync('git', ['init', '--quiet'], { cwd: copy });
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** The text of each file of the copy, by path. */
function readTree() {
  const entries = ['packages', 'apps', 'docs'].flatMap((name) => [...filesBelow(join(copy, name))]);
  const paths = [...entries, ...['README.md', 'CONTRIBUTING.md'].map((name) => join(copy, name))];
  return new Map(paths.map((path) => [relative(copy, path), readFileSync(path, 'latin1')]));
}

function* filesBelow(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isFile()) {
      yield path;
    } else if (entry.isDirectory() && entry.name !== 'node_modules') {
      yield* filesBelow(path);
    }
  }
}

const differences = (before, after) =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).sort();

function putBack(before) {
  for (const path of differences(before, readTree())) {
    const text = before.get(path);
    if (text === undefined) {
      rmSync(join(copy, path));
    } else {
      writeFileSync(join(copy, path), text, 'latin1');
    }
  }
}

/** What a program says if it fails; empty if all is well. */
function run(tool, ...args) {
  const [program, ...words] = toolCommand(tool);
  const env = { ...process.env, NO_COLOR: '1' };
  // This test runs in a worker of Vitest, which must not take the inner one for one of its own.
  for (const name of Object.keys(env).filter((each) => each.startsWith('VITEST'))) {
    delete env[name];
  }
  const { status, stdout, stderr } = spawnSync(program, [...words, ...args], { cwd: copy, encoding: 'utf8', env });
  return status === 0 ? '' : `${tool} fails:\n${stdout}${stderr}`;
}

function checkTypes(paths) {
  const project = join(copy, 'tsconfig.recipe.json');
  writeFileSync(
    project,
    JSON.stringify({
      extends: './tsconfig.tests.json',
      include: [],
      files: paths.filter((path) => path.endsWith('.ts')),
      compilerOptions: { incremental: true, tsBuildInfoFile: '.recipe.tsbuildinfo' },
    }),
  );
  return run('tsc', '-p', project);
}

describe.each(recipes)('the recipe for $name', (recipe) => {
  it('adds what works, by as few files as it says, and leaves nothing when it is undone', () => {
    const before = readTree();
    try {
      follow(recipe, copy);
      const byHand = differences(before, readTree());
      expect(checkTypes(byHand)).toBe('');
      expect(run('vitest', 'run', ...recipe.tests, '--update')).toBe('');
      expect(run('biome', 'lint', '--error-on-warnings', '--no-errors-on-unmatched', ...byHand)).toBe('');
      const { edited, generated } = filesOf(recipe);
      const touched = differences(before, readTree());
      expect(touched).toEqual([...recipe.own, ...edited, ...generated].sort());
      expect(edited.length).toBeLessThanOrEqual(recipe.most);
    } finally {
      putBack(before);
    }
    expect(differences(before, readTree())).toEqual([]);
  });

  it('fails with its name and the file if a place is gone', () => {
    const [{ path }] = recipe.edit;
    const broken = { ...recipe, create: {}, edit: [{ path, find: 'a place that is gone', replacement: '' }] };
    expect(() => follow(broken, copy)).toThrow(`The recipe for ${recipe.name} needs this once in ${path}`);
  });
});

it('CONTRIBUTING.md lists the files of each recipe', () => {
  const document = readFileSync(join(rootDirectory, 'CONTRIBUTING.md'), 'utf8');
  expect(document).toContain(tableOfRecipes());
});

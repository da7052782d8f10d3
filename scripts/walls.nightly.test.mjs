// Breaks each rule of the architecture on purpose, in a copy of the tree, and expects its gate to go red.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rootDirectory } from './run-step.mjs';

const copy = mkdtempSync(join(tmpdir(), 'gemini-mcp-walls-'));
const kept = ['packages', 'apps', 'demo', 'bench', 'examples', 'scripts'];
const files = [
  'package.json',
  'pnpm-workspace.yaml',
  'pnpm-lock.yaml',
  'turbo.json',
  'biome.json',
  'knip.json',
  'vitest.config.ts',
];

beforeAll(() => {
  for (const name of kept) {
    const source = join(rootDirectory, name);
    cpSync(source, join(copy, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !/\/(?:dist|\.turbo)$/.test(path),
    });
  }
  for (const name of [...files, 'tsconfig.json', 'tsconfig.base.json', 'tsconfig.tests.json', '.gitignore']) {
    cpSync(join(rootDirectory, name), join(copy, name));
  }
  symlinkSync(join(rootDirectory, 'node_modules'), join(copy, 'node_modules'));
  // Biome asks git which files to skip.
  spawnSync('git', ['init', '--quiet'], { cwd: copy });
});

afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

/** How each gate looks at changed files, and at no more of the tree than it takes to judge them. */
const gates = {
  types: (paths) => ['tsc', '-b', ...new Set(paths.map(packageOf))],
  boundaries: () => ['turbo', 'boundaries'],
  lint: (paths) => ['biome', 'lint', '--error-on-warnings', '--max-diagnostics=200', ...new Set(paths)],
  unused: () => ['knip'],
  metadata: (paths) => ['publint', ...paths.map(packageOf), '--pack=false'],
};

const packageOf = (path) => path.split('/', 2).join('/');

function run(gate, paths) {
  const [program, ...args] = gates[gate](paths);
  const result = spawnSync(join(rootDirectory, 'node_modules/.bin', program), args, {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', NO_COLOR: '1' },
  });
  return { passes: result.status === 0, said: `${result.stdout}${result.stderr}` };
}

/** Runs a gate on the tree with files changed, then puts the files back. */
function withChanges(changes, gate) {
  const before = new Map(changes.map(({ path }) => [path, readOrNull(path)]));
  for (const { path, change } of changes) {
    writeFileSync(join(copy, path), change(readOrNull(path) ?? ''));
  }
  try {
    return run(
      gate,
      changes.map(({ path }) => path),
    );
  } finally {
    for (const [path, text] of before) {
      if (text === null) {
        rmSync(join(copy, path));
      } else {
        writeFileSync(join(copy, path), text);
      }
    }
  }
}

function readOrNull(path) {
  try {
    return readFileSync(join(copy, path), 'utf8');
  } catch {
    return null;
  }
}

const prepend = (line) => (text) => `${line}\n${text}`;
const dependOn = (name) => (text) => {
  const manifest = JSON.parse(text);
  return JSON.stringify({ ...manifest, dependencies: { ...manifest.dependencies, [name]: 'workspace:*' } });
};

const coreFile = 'packages/core/src/fallback/next-step.ts';
const adapterFile = 'packages/adapters-node/src/processes/system-clock.ts';
const mcpFile = 'packages/mcp/src/surface/tool.ts';

const breaches = [
  [
    'core names a global of the platform',
    coreFile,
    prepend('export const home: string = process.cwd();'),
    'types',
    'process',
  ],
  ['core sets a timer', coreFile, prepend('setTimeout(() => undefined, 1);'), 'types', 'setTimeout'],
  ['core imports a builtin of Node', coreFile, prepend("import 'node:fs';"), 'types', 'node:fs'],
  [
    'core imports a package',
    coreFile,
    prepend("import * as z from 'zod';\nexport const schema: z.ZodString = z.string();"),
    'types',
    'zod',
  ],
  [
    'core imports an adapter',
    coreFile,
    prepend("import '@gemini-mcp/adapters-node';"),
    'types',
    '@gemini-mcp/adapters-node',
  ],
  ['core imports anything, to the linter', coreFile, prepend("import 'node:fs';"), 'lint', 'core imports nothing'],
  [
    'an adapter reaches into core past its exports',
    adapterFile,
    prepend("import '@gemini-mcp/core/src/index.ts';"),
    'types',
    '@gemini-mcp/core',
  ],
  [
    'an adapter imports a package that it does not declare',
    adapterFile,
    prepend("import 'tsyringe';"),
    'boundaries',
    'tsyringe',
  ],
  [
    'an adapter speaks MCP',
    adapterFile,
    prepend("import '@modelcontextprotocol/sdk/types.js';"),
    'lint',
    'only the edges of packages/mcp and packages/upstreams speak MCP',
  ],
  [
    'a handler of packages/mcp knows the SDK',
    'packages/mcp/src/handlers/tool-handlers.ts',
    prepend("import '@modelcontextprotocol/sdk/types.js';"),
    'lint',
    'only edges know a revision of MCP',
  ],
  [
    'a tool reaches for an edge',
    'packages/mcp/src/tools/gemini-query-tool.ts',
    prepend("import '../edges/legacy/create-mcp-server.ts';"),
    'lint',
    'only edges know a revision of MCP',
  ],
  [
    'the offline API imports a package for tests',
    'packages/port-contracts/src/offline-api/replies/replies.ts',
    prepend("import 'vitest';"),
    'lint',
    'nothing that only tests have',
  ],
  [
    'the container is used outside the composition root',
    'apps/mcp-stdio/src/start-server.ts',
    prepend("import 'tsyringe';"),
    'lint',
    'composition-root.ts',
  ],
  [
    'the MCP package depends on an adapter',
    'packages/mcp/package.json',
    dependOn('@gemini-mcp/adapters-node'),
    'boundaries',
    'adapter',
  ],
  [
    'the upstreams depend on an adapter',
    'packages/upstreams/package.json',
    dependOn('@gemini-mcp/adapters-node'),
    'boundaries',
    'adapter',
  ],
  ['a package depends on an app', 'packages/mcp/package.json', dependOn('gemini-mcp-server'), 'boundaries', 'app'],
  [
    'syntax that a type stripper cannot erase',
    adapterFile,
    prepend('export enum Unit { Millisecond }'),
    'types',
    'erasableSyntaxOnly',
  ],
  [
    'a file of more than 400 lines',
    'packages/mcp/src/surface/scope.ts',
    (text) =>
      `${text}${Array.from({ length: 400 }, (_, index) => `export const one${index}: number = ${index};\n`).join('')}`,
    'lint',
    'noExcessiveLinesPerFile',
  ],
  ['any', mcpFile, prepend('export const loose: any = 1;'), 'lint', 'noExplicitAny'],
  ['console where stdout is the protocol', mcpFile, prepend("console.log('hi');"), 'lint', 'noConsole'],
  [
    'two files that import each other',
    'packages/core/src/search/found-sources.ts',
    prepend("import './search-web.ts';"),
    'lint',
    'noImportCycles',
  ],
  [
    'a file that is not used',
    'packages/core/src/fallback/forgotten.ts',
    () => 'export const forgotten = 1;\n',
    'unused',
    'forgotten.ts',
  ],
  [
    'a manifest that names types which are not there',
    'packages/core/package.json',
    (text) => text.replaceAll('dist/index.d.ts', 'dist/none.d.ts'),
    'metadata',
    'none.d.ts',
  ],
].map(([title, path, change, gate, word]) => ({ title, path, change, gate, word }));

/**
 * The linter and the compiler report each breach with its file, so one run of them takes all that are independent of each other.
 * The compiler does not build what depends on a package with errors: its runs are one a package.
 */
const groupOf = ({ title, path, gate }) => {
  if (gate === 'lint') {
    return gate;
  }
  return gate === 'types' ? path : title;
};

const results = new Map();

function resultOf(breach) {
  const group = groupOf(breach);
  if (!results.has(group)) {
    const changes = breaches.filter((one) => groupOf(one) === group && one.gate === breach.gate);
    results.set(group, withChanges(changes, breach.gate));
  }
  return results.get(group);
}

describe('the walls stop the build', () => {
  it.each(breaches.map((breach) => [breach.title, breach]))('%s', (_, breach) => {
    const { passes, said } = resultOf(breach);
    expect(said).toContain(breach.word);
    expect(passes).toBe(false);
  });
});

// Every piece of TypeScript in the documents compiles against the packages as they are.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { rootDirectory } from './run-step.mjs';

const documents = [
  'README.md',
  ...['core', 'adapters-node', 'adapters-valkey', 'gemini', 'mcp', 'port-contracts'].map(
    (name) => `packages/${name}/README.md`,
  ),
  'docs/embedding.md',
  'docs/contracts.md',
];

/** The imports of the snippets, with their places. */
const dependencies = {
  '@gemini-mcp/core': 'packages/core',
  '@gemini-mcp/adapters-api': 'packages/adapters-api',
  '@gemini-mcp/adapters-node': 'packages/adapters-node',
  '@gemini-mcp/adapters-valkey': 'packages/adapters-valkey',
  '@gemini-mcp/gemini': 'packages/gemini',
  '@gemini-mcp/mcp': 'packages/mcp',
  '@gemini-mcp/port-contracts': 'packages/port-contracts',
  '@types/express': 'examples/node_modules/@types/express',
  '@types/node': 'node_modules/@types/node',
  ai: 'examples/node_modules/ai',
  'eventsource-parser': 'examples/node_modules/eventsource-parser',
  express: 'examples/node_modules/express',
  '@langchain/core': 'examples/node_modules/@langchain/core',
  hono: 'examples/node_modules/hono',
  'node-sqlite3-wasm': 'examples/node_modules/node-sqlite3-wasm',
  zod: 'examples/node_modules/zod',
};

const directories = [];

afterEach(() => {
  for (const directory of directories.splice(0)) {
    rmSync(directory, { recursive: true, force: true });
  }
});

/** The pieces of a document, each named by its first line where that is a comment with a name. */
function snippetsOf(document) {
  const text = readFileSync(join(rootDirectory, document), 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code], index) => {
    const name =
      /^\/\/ ([a-z-]+(?:\.test)?\.ts)\n/.exec(code)?.[1] ?? `${document.replace(/\W/g, '-')}-${index + 1}.ts`;
    return { name, code };
  });
}

function compile(snippets) {
  const directory = mkdtempSync(join(tmpdir(), 'gemini-mcp-snippets-'));
  directories.push(directory);
  for (const [name, path] of Object.entries(dependencies)) {
    const link = join(directory, 'node_modules', name);
    mkdirSync(join(link, '..'), { recursive: true });
    symlinkSync(join(rootDirectory, path), link);
  }
  for (const { name, code } of snippets) {
    writeFileSync(join(directory, name), code);
  }
  const config = { extends: join(rootDirectory, 'tsconfig.tests.json'), include: ['*.ts'], exclude: [] };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
  const tsc = join(rootDirectory, 'node_modules/.bin/tsc');
  const { stdout, status } = spawnSync(tsc, ['-p', directory], { encoding: 'utf8' });
  return { status, stdout };
}

it('every piece of TypeScript in the documents compiles', () => {
  const snippets = documents.flatMap(snippetsOf);
  expect(snippets.length).toBeGreaterThanOrEqual(5);
  expect(new Set(snippets.map(({ name }) => name)).size).toBe(snippets.length);
  expect(compile(snippets)).toEqual({ status: 0, stdout: '' });
});

it('a piece that no longer fits the packages is found', () => {
  const code = "import { AskGemini } from '@gemini-mcp/core';\n\nnew AskGemini({ clock: null });\n";
  const { status, stdout } = compile([{ name: 'stale.ts', code }]);
  expect(status).not.toBe(0);
  expect(stdout).toContain('stale.ts(3,');
});

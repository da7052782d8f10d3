// What plain npm makes of our packages works where nothing else of this repository is: the types for the lowest TypeScript, the programs
// and the examples of the READMEs as Node runs them.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entriesOf, libraries, publishedPackages } from './published-packages.mjs';
import { rootDirectory } from './run-step.mjs';

/** Of other people, and on this machine already: npm links them instead of fetching them. */
const linked = {
  zod: 'packages/mcp/node_modules/zod',
  '@modelcontextprotocol/sdk': 'packages/mcp/node_modules/@modelcontextprotocol/sdk',
  '@cfworker/json-schema': 'packages/mcp/node_modules/@cfworker/json-schema',
  unbash: 'packages/tool-host/node_modules/unbash',
  'jsonc-parser': 'packages/hub/node_modules/jsonc-parser',
  minisearch: 'packages/hub/node_modules/minisearch',
  'smol-toml': 'packages/hub/node_modules/smol-toml',
  vitest: 'packages/port-contracts/node_modules/vitest',
  undici: 'packages/adapters-api/node_modules/undici',
  'eventsource-parser': 'packages/adapters-api/node_modules/eventsource-parser',
  '@types/node': 'node_modules/@types/node',
};

/** Each library with the lowest TypeScript that its README names. */
const floors = {
  '@gemini-mcp/core': 'typescript-floor',
  '@gemini-mcp/adapters-node': 'typescript-floor',
  '@gemini-mcp/adapters-api': 'typescript-floor',
  '@gemini-mcp/gemini': 'typescript-floor',
  '@gemini-mcp/port-contracts': 'typescript-floor',
  '@gemini-mcp/mcp': 'typescript-zod-floor',
};

/** `module` and `moduleResolution`. */
const resolutions = [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
];

let project;

beforeAll(async () => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-mcp-installed-')));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  const directories = publishedPackages.map(({ directory }) => directory);
  const options = { cwd: project };
  const { stdout } = await execa('npm', ['pack', ...directories, '--ignore-scripts', '--json'], options);
  const tarballs = JSON.parse(stdout).map(({ filename }) => join(project, filename));
  const others = Object.values(linked).map((path) => realpathSync(join(rootDirectory, path)));
  await execa(
    'npm',
    ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs, ...others],
    options,
  );
  // npm packs and installs the packages, next to two other workers.
}, 300_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

/** The piece of TypeScript in the README of a library. */
function exampleOf({ directory }) {
  return /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(directory, 'README.md'), 'utf8'))[1];
}

/** By floor and resolution, what a compilation comes to. */
const compiled = new Map();

function compileOnce(floor, resolution) {
  const key = [floor, ...resolution].join(' ');
  compiled.set(key, compiled.get(key) ?? compile(floor, resolution));
  return compiled.get(key);
}

/** Compiles examples and entries, with the types of every package looked at; resolves to the directory of what they became. */
async function compile(floor, [module, moduleResolution]) {
  const place = join(project, `${floor}-${moduleResolution}`);
  mkdirSync(place);
  for (const library of libraries.filter(({ name }) => floors[name] === floor)) {
    const name = library.name.replace('@gemini-mcp/', '');
    const entries = entriesOf(library).filter(({ isInternal }) => !isInternal);
    writeFileSync(join(place, `${name}.test.ts`), exampleOf(library));
    const lines = entries.map((entry, index) => `export * as entry${index} from '${entry.name}';\n`);
    writeFileSync(join(place, `${name}-entries.ts`), lines.join(''));
  }
  const compilerOptions = {
    ...{ module, moduleResolution, target: 'es2022', strict: true, skipLibCheck: false },
    ...{ lib: ['es2023', 'esnext.disposable'], types: ['node'], outDir: 'out', rootDir: '.' },
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const tsc = join(rootDirectory, 'node_modules', floor, 'bin/tsc');
  const said = await execa(process.execPath, [tsc, '-p', place]).catch((error) => error);
  expect(`${said.stdout}${said.stderr}`).toBe('');
  return join(place, 'out');
}

describe.each([...new Set(Object.values(floors))])('%s', (floor) => {
  it.each(resolutions)('compiles all that we export, with module %s and resolution %s', async (...resolution) => {
    await compileOnce(floor, resolution);
  });
});

it.each(libraries)('Node imports every entry of $name', async (library) => {
  const names = entriesOf(library).map(({ name }) => name);
  const script = `for (const name of ${JSON.stringify(names)}) {
    console.log(name, Object.keys(await import(name)).length > 0);
  }`;
  const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', script], { cwd: project });
  expect(stdout).toBe(names.map((name) => `${name} true`).join('\n'));
});

describe('the example in the README of', () => {
  const built = (name) => compileOnce(floors[`@gemini-mcp/${name}`], resolutions[0]);

  it('core reads what Google said', async () => {
    const { stdout } = await execa(process.execPath, [join(await built('core'), 'core.test.js')]);
    expect(stdout).toMatch(/^No answer: too many requests/);
  });

  it('mcp serves the tools', async () => {
    const served = execa(process.execPath, [join(await built('mcp'), 'mcp.test.js')], { cwd: project });
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const messages = [
      { id: 1, method: 'initialize', params: client },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
    ];
    served.stdin.end(messages.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join(''));
    const answers = (await served).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { tools } = answers.find(({ id }) => id === 2).result;
    expect(tools.map(({ name }) => name)).toContain('gemini_query');
  });

  it('port-contracts proves a clock', async () => {
    const vitest = createRequire(join(project, 'package.json')).resolve('vitest/package.json');
    const args = ['run', '--root', await built('port-contracts'), 'port-contracts.test.js', '--reporter=json'];
    const { stdout } = await execa(process.execPath, [join(dirname(vitest), 'vitest.mjs'), ...args]);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, numFailedTests: 0, numPassedTests: expect.any(Number) });
    expect(JSON.parse(stdout).numPassedTests).toBeGreaterThan(5);
  });
});

it.each(['gemini-mcp-server', 'gemini-mcp-server-http'])('%s says its version', async (name) => {
  const { stdout } = await execa(join(project, 'node_modules/.bin', name), ['--version'], { cwd: project });
  expect(stdout).toContain(publishedPackages.find((each) => each.name === name).manifest.version);
});

// The packages of a release pass publint and attw without changes, install with plain npm, and work outside of this
// repository: the types for the lowest TypeScript, the programs and the examples of the READMEs as Node runs them, and five
// lines that ask Gemini.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execa } from 'execa';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takesAllWays } from '../packages/fake-gemini/src/gemini-cli/cli-ways.ts';
import { startOfflineGeminiApi } from '../packages/port-contracts/src/offline-api/index.ts';
import { packPackages } from '../release/npm-packages.mjs';
import { entriesOf, libraries, publishedPackages } from './published-packages.mjs';
import { rootDirectory } from './run-step.mjs';

/** Of other people, and on this machine already: npm links them instead of fetching them. */
const linked = [
  'packages/mcp/node_modules/zod',
  'packages/mcp/node_modules/@modelcontextprotocol/sdk',
  'packages/mcp/node_modules/@cfworker/json-schema',
  'packages/agent-tools/node_modules/unbash',
  'packages/upstreams/node_modules/jsonc-parser',
  'packages/upstreams/node_modules/minisearch',
  'packages/upstreams/node_modules/smol-toml',
  'packages/upstreams/node_modules/yaml',
  'packages/port-contracts/node_modules/vitest',
  'packages/adapters-api/node_modules/undici',
  'packages/adapters-api/node_modules/eventsource-parser',
  'packages/adapters-valkey/node_modules/@redis/client',
  'node_modules/@types/node',
];

/** Each library with the lowest TypeScript that its README names. */
const floors = {
  '@gemini-mcp/core': 'typescript-floor',
  '@gemini-mcp/adapters-node': 'typescript-floor',
  '@gemini-mcp/adapters-api': 'typescript-floor',
  '@gemini-mcp/adapters-valkey': 'typescript-floor',
  '@gemini-mcp/gemini': 'typescript-floor',
  '@gemini-mcp/port-contracts': 'typescript-floor',
  '@gemini-mcp/mcp': 'typescript-zod-floor',
};

/** Types are looked at every night and before a release: what could break them breaks `npm run typecheck` first, and a compiler takes half a minute. */
const looksAtTypes = takesAllWays || process.env.npm_lifecycle_event === 'published';

/** `module` and `moduleResolution`. attw looks at what a bundler finds too. */
const nodeResolution = ['nodenext', 'nodenext'];
const resolutions = takesAllWays ? [nodeResolution, ['esnext', 'bundler']] : [nodeResolution];

let project;
let tarballs;

beforeAll(async () => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-mcp-installed-')));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  tarballs = await packPackages(join(project, 'tarballs'));
  const others = linked.map((path) => realpathSync(join(rootDirectory, path)));
  const quietly = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await execa('npm', ['install', ...quietly, ...tarballs.values(), ...others], { cwd: project });
  // npm packs and installs the packages, next to two other workers.
}, 300_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

const readTarball = (name) => new Uint8Array(readFileSync(tarballs.get(name)));

it.each(publishedPackages)('publint finds nothing in $name', async ({ name }) => {
  const { buffer: tarball } = readTarball(name);
  expect((await publint({ pack: { tarball }, strict: true })).messages).toEqual([]);
});

describe.each(publishedPackages)('the tarball of $name', ({ name }) => {
  it('has a manifest without the words of the workspace, with the address of its sources', async () => {
    const place = join(project, 'unpacked', name);
    mkdirSync(place, { recursive: true });
    await execa('tar', ['-xzf', tarballs.get(name), '-C', place]);
    const manifest = readManifest(join(place, 'package'));
    expect(JSON.stringify(manifest)).not.toMatch(/workspace:|catalog:|devDependencies|"scripts"/);
    expect(manifest).toMatchObject({
      repository: { type: 'git', directory: expect.stringMatching(/^(apps|packages)\//) },
    });
    const isNamed = name === 'gemini-mcp-server';
    expect(manifest.mcpName ?? '').toMatch(isNamed ? /^io\.github\.[\w-]+\/gemini-mcp-server$/ : /^$/);
  });

  it('names no account, and only owners may write its files, even unpacked without a umask', async () => {
    const { stdout } = await execa('tar', ['--numeric-owner', '-tvzf', tarballs.get(name)]);
    const lines = stdout.split('\n');
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => !/^(-rw-r--r--|-rwxr-xr-x|drwxr-xr-x) 0\/0 /.test(line))).toEqual([]);
  });
});

it('the package of the server is a plugin too', async () => {
  const { stdout } = await execa('tar', ['-tzf', tarballs.get('gemini-mcp-server')]);
  const places = [
    '.claude-plugin/plugin.json',
    '.mcp.json',
    'plugin.json',
    'mcp.json',
    'skills/review/SKILL.md',
    'icon.png',
  ];
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(places.map((place) => `package/${place}`)));
});

it.runIf(looksAtTypes).each(libraries)(
  'attw finds that the types of $name resolve for ES modules',
  async ({ name }) => {
    const { types, problems } = await checkPackage(createPackageFromTarballData(readTarball(name)));
    expect(types).toMatchObject({ kind: 'included' });
    expect(problems.filter(({ resolutionKind }) => !['node10', 'node16-cjs'].includes(resolutionKind))).toEqual([]);
  },
);

describe.each(libraries)('$name as npm installs it', ({ name, directory }) => {
  let installed;
  let files;

  beforeAll(() => {
    installed = join(project, 'node_modules', name);
    files = readdirSync(installed, { recursive: true });
  });

  it('names its dependencies by ranges that npm can read, from the versions on that are tested here', () => {
    const { dependencies = {}, peerDependencies = {} } = readManifest(installed);
    const ranges = Object.entries({ ...dependencies, ...peerDependencies });
    expect(ranges.filter(([, range]) => !/^\^?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
    const isTested = ([dependency, range]) =>
      readManifest(join(directory, 'node_modules', dependency)).version === range.slice(1);
    const foreign = Object.entries(dependencies).filter(([dependency]) => !dependency.startsWith('@gemini-mcp/'));
    expect(foreign.filter((entry) => !isTested(entry))).toEqual([]);
  });

  it('contains the sources of its maps, and no others, a README and the licence', () => {
    const maps = files.filter((file) => file.endsWith('.map'));
    // `dist` of a working copy also contains output of deleted sources.
    const isOfNow = (map, source) => existsSync(join(directory, dirname(map), source));
    const mapped = maps.flatMap((map) =>
      JSON.parse(readFileSync(join(installed, map), 'utf8'))
        .sources.filter((source) => isOfNow(map, source))
        .map((source) => join(dirname(map), source)),
    );
    const sources = files.filter((file) => file.startsWith('src/') && /\.\w+$/.test(file));
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.toSorted()).toEqual([...new Set(mapped)].toSorted());
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE']));
  });
});

function readManifest(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}

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

describe.runIf(looksAtTypes).each([...new Set(Object.values(floors))])('%s', (floor) => {
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

describe.runIf(looksAtTypes)('the example in the README of', () => {
  const built = (name) => compileOnce(floors[`@gemini-mcp/${name}`], nodeResolution);

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

const scriptFor = (options) => `import { createGemini } from '@gemini-mcp/gemini';
const gemini = createGemini(${options});
const result = await gemini.ask('What does this do?', { files: ['src/**/*.ts'] });
console.log(result.ok ? result.text : result.failure.text, result.handledBy.by);
await gemini.close();
`;

it('five lines ask Gemini with nothing but what npm installed', async () => {
  const place = join(project, 'asking');
  mkdirSync(join(place, 'src'), { recursive: true });
  writeFileSync(join(place, 'src/add.ts'), 'export const add = (one: number, other: number) => one + other;\n');
  writeFileSync(join(place, 'ask.mjs'), scriptFor(''));
  writeFileSync(join(place, 'ask-cli.mjs'), scriptFor("{ backend: 'warm' }"));
  const api = await startOfflineGeminiApi();
  try {
    const require = createRequire(join(rootDirectory, 'packages/adapters-node/package.json'));
    const cli = resolve(dirname(require.resolve('@google/gemini-cli/package.json')), 'bundle/gemini.js');
    const env = { PATH: process.env.PATH, HOME: project, ...api.environment() };
    const ask = (script, path) =>
      execa(process.execPath, [script], { cwd: place, env: { ...env, GEMINI_MCP_CLI: path }, extendEnv: false });
    const byApi = await ask('ask.mjs', '/nowhere');
    expect(byApi).toMatchObject({ stdout: expect.stringMatching(/src\/add\.ts[\s\S]* Gemini API$/), stderr: '' });
    const byCli = await ask('ask-cli.mjs', cli);
    expect(byCli).toMatchObject({ stdout: expect.stringMatching(/src\/add\.ts[\s\S]* Gemini CLI$/), stderr: '' });
  } finally {
    await api.close();
  }
});

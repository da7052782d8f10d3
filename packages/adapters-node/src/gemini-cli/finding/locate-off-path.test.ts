import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeSafeDirectory } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProgramPath } from '../../processes/programs/program-path.ts';
import { type GeminiCliLocation, locateGeminiCli } from './locate-gemini-cli.ts';

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

/** A package of the CLI among the packages in a directory, which prints its place. Resolves to its entry. */
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

/** As a desktop client starts the server: with next to nothing on PATH, and without npx. */
function locate({ variables = {}, roots = [] }: Given = {}): Promise<GeminiCliLocation> {
  const environment = { HOME: at('home'), PATH: at('desktop'), ...variables };
  const programs = new ProgramPath({ environment, roots });
  const sharedDirectories = [at('usr/local/bin')];
  const nodePath = at('node/bin/node');
  return locateGeminiCli({ environment, programs, runsDirectory: at('runs'), sharedDirectories, nodePath }, never);
}

describe.skipIf(process.platform === 'win32')('a Gemini CLI that is not on PATH', () => {
  it.each([
    ['next to the Node that runs us', 'node', 'node'],
    ['for all users', 'usr/local', 'usual-place'],
  ])('is found where npm installs it %s, and starts without a Node on PATH', async (_, prefix, foundBy) => {
    const entry = await installGlobally(prefix);
    const location = await locate();
    const command = { file: process.execPath, arguments: [entry] };
    expect(location).toMatchObject({ cli: { command, path: entry, version: '0.61.0', foundBy } });
    const { stdout } = await run(command.file, command.arguments, { env: {} });
    expect(stdout.trim()).toBe(entry);
  });

  it('next to Node comes before the one of all users', async () => {
    await installGlobally('usr/local');
    const next = await installGlobally('node');
    expect(await locate()).toMatchObject({ cli: { path: next, foundBy: 'node' }, lookedIn: [at('node/bin')] });
  });

  it('comes after the one on PATH', async () => {
    await installGlobally('node');
    const onPath = await write('desktop/gemini', '#!/bin/sh\n');
    expect(await locate()).toMatchObject({ cli: { path: onPath, foundBy: 'PATH' }, lookedIn: [] });
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
    await installGlobally('usr/local');
    const command = at('usr/local/bin/gemini');
    const roots = [at('usr/local')];
    expect(await locate({ roots })).toMatchObject({
      found: false,
      passedOver: [{ path: command, fault: { kind: 'project' } }],
    });
    await chmod(at('usr/local'), 0o777);
    expect(await locate()).toMatchObject({
      found: false,
      passedOver: [{ path: command, fault: { kind: 'writable' } }],
    });
  });

  it('PROGRAM-12: a package whose entry leads into a project is passed over', async () => {
    const project = await write('project/evil.js', '');
    const entry = await installGlobally('usr/local');
    await rm(entry);
    await symlink(project, entry);
    const passedOver = [{ path: at('usr/local/bin/gemini'), fault: { kind: 'project' } }];
    expect(await locate({ roots: [at('project')] })).toMatchObject({ found: false, passedOver });
  });

  it('another program of that name does not count, nor another package', async () => {
    await write('usr/local/bin/gemini', '#!/bin/sh\n');
    await installGlobally('node', 'gemini');
    expect(await locate()).toMatchObject({ found: false, passedOver: [] });
  });

  it('is listed once if its place is on PATH as well', async () => {
    await installGlobally('usr/local');
    const roots = [at('usr')];
    const { passedOver } = await locate({ variables: { PATH: at('usr/local/bin') }, roots });
    expect(passedOver).toHaveLength(1);
  });
});

import { execFile } from 'node:child_process';
import { access, chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createFakeGeminiCli, makeSafeDirectory, whenFileExists } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from '../../processes/process-identity.ts';
import { ProgramPath } from '../../processes/programs/program-path.ts';
import { type GeminiCli, type GeminiCliLocation, locateGeminiCli } from './locate-gemini-cli.ts';

const run = promisify(execFile);
const never = new AbortController().signal;
/** Not this process's own: there may be a CLI on it. */
const systemPath = '/usr/bin:/bin';

let root: string;
const startedIn = process.cwd();

beforeEach(async () => {
  root = await makeSafeDirectory();
});

afterEach(async () => {
  process.chdir(startedIn);
  await rm(root, { recursive: true });
});

async function write(name: string, content: string, mode = 0o755): Promise<string> {
  const path = join(root, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { mode });
  return path;
}

function pathOf(...directories: readonly string[]): string {
  return directories.map((directory) => join(root, directory)).join(delimiter);
}

type LocatePlaces = { readonly nodePath?: string; readonly mayFetch?: boolean };

/** No npm is next to this Node, so that npx is looked for on PATH; the usual places of this machine are not looked at. */
function locate(
  given: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal = never,
  { nodePath = join(root, 'no-node', 'bin', 'node'), mayFetch = true }: LocatePlaces = {},
): Promise<GeminiCliLocation> {
  const environment = { HOME: join(root, 'home'), ...given };
  const programs = new ProgramPath({ environment });
  const places = { sharedDirectories: [join(root, 'shared-bin')], nodePath, mayFetch };
  return locateGeminiCli({ environment, programs, runsDirectory: join(root, 'runs'), ...places }, signal);
}

async function locateFound(environment: Readonly<Record<string, string | undefined>>): Promise<GeminiCli> {
  const location = await locate(environment);
  if (!location.found) {
    throw new Error(location.detail);
  }
  return location.cli;
}

/** The version that a found CLI prints, as proof that its command starts it. */
async function versionOf({ command }: GeminiCli, env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await run(command.file, [...command.arguments, '--version'], { env });
  return stdout.trim();
}

/** Installs the package as npm does: a link among the commands to the script in the package. */
async function installPackage(prefix: string): Promise<string> {
  const script = await write(
    `${prefix}/lib/node_modules/@google/gemini-cli/bundle/gemini.js`,
    '#!/usr/bin/env node\nconsole.log("script");\n',
  );
  const manifest = { name: '@google/gemini-cli', version: '0.61.0', bin: { gemini: 'bundle/gemini.js' } };
  await write(`${prefix}/lib/node_modules/@google/gemini-cli/package.json`, JSON.stringify(manifest));
  await mkdir(join(root, prefix, 'bin'), { recursive: true });
  await symlink('../lib/node_modules/@google/gemini-cli/bundle/gemini.js', join(root, prefix, 'bin', 'gemini'));
  return script;
}

describe('the search order', () => {
  it('GEMINI_MCP_CLI comes before PATH, and PATH before npx', async () => {
    const chosen = await write('chosen/gemini', '#!/bin/sh\n');
    const onPath = await write('bin/gemini', '#!/bin/sh\n');
    await write('fetched/gemini', '#!/bin/sh\n');
    await write('bin/npx', `#!/bin/sh\necho "${root}/fetched"\n`);
    const environment = { PATH: pathOf('bin') + delimiter + systemPath };
    expect(await locateFound({ ...environment, GEMINI_MCP_CLI: chosen })).toMatchObject({
      path: chosen,
      foundBy: 'GEMINI_MCP_CLI',
    });
    expect(await locateFound({ ...environment, GEMINI_MCP_CLI: '' })).toMatchObject({ path: onPath, foundBy: 'PATH' });
    await rm(onPath);
    expect(await locateFound(environment)).toMatchObject({ path: join(root, 'fetched', 'gemini'), foundBy: 'npx' });
  });

  it('does not use npx if that is off, unless GEMINI_MCP_CLI requests it', async () => {
    await write('fetched/gemini', '#!/bin/sh\n');
    await write('bin/npx', `#!/bin/sh\necho asked > "${root}/asked"\necho "${root}/fetched"\n`);
    const environment = { PATH: pathOf('bin') + delimiter + systemPath };
    expect(await locate(environment, never, { mayFetch: false })).toMatchObject({
      found: false,
      detail: 'No usable `gemini` was found on PATH or in the usual places.',
    });
    await expect(access(join(root, 'asked'))).rejects.toThrow('ENOENT');
    expect(await locate({ ...environment, GEMINI_MCP_CLI: 'npx' }, never, { mayFetch: false })).toMatchObject({
      cli: { path: join(root, 'fetched', 'gemini'), foundBy: 'npx' },
    });
  });

  it('GEMINI_MCP_CLI=npx takes a CLI that is installed', async () => {
    const onPath = await write('bin/gemini', '#!/bin/sh\n');
    const environment = { PATH: pathOf('bin') + delimiter + systemPath, GEMINI_MCP_CLI: 'npx' };
    expect(await locateFound(environment)).toMatchObject({ path: onPath, foundBy: 'PATH' });
  });

  it('GEMINI_MCP_CLI may name a program on PATH, or a script that Node can start', async () => {
    const named = await write('bin/my-gemini', '#!/bin/sh\n');
    const script = await write('gemini.mjs', 'console.log("0.1.2");\n', 0o644);
    expect(await locateFound({ PATH: pathOf('bin'), GEMINI_MCP_CLI: 'my-gemini' })).toMatchObject({ path: named });
    const cli = await locateFound({ PATH: '', GEMINI_MCP_CLI: script });
    expect(await versionOf(cli, {})).toBe('0.1.2');
  });

  it.each([
    'missing',
    './bin/gemini',
    'bin/gemini',
    '/nowhere/gemini',
    '/nowhere/gemini.js',
    '/dev/null',
    '/tmp',
    '$HOME/gemini',
    '\0',
  ])('CONFIG-05: a wrong GEMINI_MCP_CLI %j is reported, and not skipped', async (chosen) => {
    await write('bin/gemini', '#!/bin/sh\n');
    process.chdir(root);
    const location = await locate({ PATH: pathOf('bin'), GEMINI_MCP_CLI: chosen });
    expect(location).toMatchObject({ found: false, detail: expect.stringContaining('GEMINI_MCP_CLI does not name') });
  });

  it('CONFIG-05: neither the current directory nor one that anybody may write to provides a CLI', async () => {
    const own = await write('own/gemini', '#!/bin/sh\n');
    await write('project/gemini', '#!/bin/sh\n');
    await write('project/bin/gemini', '#!/bin/sh\n');
    await write('shared/gemini', '#!/bin/sh\n');
    await chmod(join(root, 'shared'), 0o1777);
    process.chdir(join(root, 'project'));
    const PATH = ['.', '', 'bin', pathOf('shared'), pathOf('own')].join(delimiter);
    expect(await locateFound({ PATH })).toMatchObject({ path: own });
    expect(await locate({ PATH, GEMINI_MCP_CLI: join('bin', 'gemini') })).toMatchObject({ found: false });
    expect(await locate({ PATH: ['.', pathOf('shared')].join(delimiter) })).toMatchObject({ found: false });
  });

  it('PROGRAM-03: does not run what npx has fetched to an unsafe place, and says so', async () => {
    const fetched = await write('shared/gemini', '#!/bin/sh\n');
    await chmod(join(root, 'shared'), 0o1777);
    await write('bin/npx', `#!/bin/sh\necho "${root}/shared"\n`);
    expect(await locate({ PATH: pathOf('bin') + delimiter + systemPath })).toMatchObject({
      found: false,
      detail: expect.stringMatching(/the one that npx fetched is in an unsafe place\. Passed over .*shared/),
      passedOver: [{ path: fetched }],
    });
  });

  it('reports that it found nothing, not even npx', async () => {
    expect(await locate({ PATH: pathOf('empty') })).toEqual({
      found: false,
      detail: 'No usable `gemini` was found on PATH or in the usual places, and npx could not provide it.',
      passedOver: [],
      lookedIn: expect.arrayContaining([join(root, 'no-node/bin'), join(root, 'shared-bin')]),
    });
    expect(await locate({})).toMatchObject({ found: false });
  });
});

describe('skipped programs', () => {
  it('PROGRAM-08: the CLI of a project, with why, and another one is taken', async () => {
    const ofProject = await write('proj/node_modules/.bin/gemini', '#!/bin/sh\n');
    const own = await write('bin/gemini', '#!/bin/sh\n');
    expect(await locate({ PATH: pathOf('proj/node_modules/.bin', 'bin') })).toMatchObject({
      found: true,
      cli: { path: own, foundBy: 'PATH' },
      passedOver: [{ path: ofProject, fault: { kind: 'npm-bin' } }],
    });
  });

  it('PROGRAM-08: without another CLI it says what to set', async () => {
    const ofProject = await write('proj/node_modules/.bin/gemini', '#!/bin/sh\n');
    const directory = dirname(ofProject);
    const words = `Passed over ${ofProject}: ${directory} holds programs that a project's packages install. Set GEMINI_MCP_CLI to the absolute path of your own.`;
    for (const named of [{}, { GEMINI_MCP_CLI: 'gemini' }]) {
      const location = await locate({ PATH: pathOf('proj/node_modules/.bin'), ...named });
      expect(location).toMatchObject({ found: false, detail: expect.stringContaining(words) });
    }
    expect(await locateFound({ PATH: pathOf('proj/node_modules/.bin'), GEMINI_MCP_CLI: ofProject })).toMatchObject({
      path: ofProject,
    });
  });

  it('PROGRAM-08: uses an absolute GEMINI_MCP_CLI, and reports the problem with its place', async () => {
    const shared = await write('shared/gemini', '#!/bin/sh\n');
    await chmod(dirname(shared), 0o777);
    expect(await locate({ PATH: '', GEMINI_MCP_CLI: shared })).toMatchObject({
      found: true,
      cli: { path: shared },
      fault: { kind: 'writable', place: dirname(shared) },
    });
  });
});

describe('the start command', () => {
  it('a linked package: by this Node, by its real path, with its version', async () => {
    const script = await installPackage('prefix');
    const cli = await locateFound({ PATH: pathOf('prefix/bin') });
    expect(cli).toEqual({
      command: { file: process.execPath, arguments: [script] },
      path: script,
      version: '0.61.0',
      foundBy: 'PATH',
    });
    // No `node` on the search path is needed.
    expect(await versionOf(cli, { PATH: '' })).toBe('script');
  });

  it.each(['#!/usr/bin/env node', '#!/usr/bin/env -S node --no-warnings', '#! /opt/x/bin/node', '#!/usr/bin/nodejs\r'])(
    'a script that begins with %j: by this Node',
    async (shebang) => {
      const path = await write('bin/gemini', `${shebang}\n`);
      expect((await locateFound({ PATH: pathOf('bin') })).command).toEqual({
        file: process.execPath,
        arguments: [path],
      });
    },
  );

  it.each([
    '#!/opt/node/bin/bash',
    '#!/home/me/.node/shim',
    '#!/usr/bin/env bash',
    '#!/usr/bin/env node-wrapper',
    '\x7fELF node',
    '',
  ])('a program that begins with %j: as it is', async (beginning) => {
    const path = await write('bin/gemini', `${beginning}\n`);
    expect((await locateFound({ PATH: pathOf('bin') })).command).toEqual({ file: path, arguments: [] });
  });

  it('a shim of pnpm: as it is', async () => {
    const target = await createFakeGeminiCli({ scenario: { runs: [[]] }, directory: join(root, 'target') });
    await write(
      'bin/gemini',
      `#!/bin/sh\nbasedir=$(dirname "$0")\nexec "${process.execPath}" "$basedir/../target/gemini" "$@"\n`,
    );
    const cli = await locateFound({ PATH: pathOf('bin') });
    expect(cli.command.arguments).toEqual([]);
    expect(await versionOf(cli, { PATH: systemPath })).toBe('0.61.0');
    expect(target).toBe(join(root, 'target', 'gemini'));
  });

  it('a program of many names, as version managers make them: by the name under which it was found', async () => {
    const real = await write('manager/shim', '#!/bin/sh\necho "called as $(basename "$0")"\n');
    await mkdir(join(root, 'bin'));
    await symlink(real, join(root, 'bin', 'gemini'));
    const cli = await locateFound({ PATH: pathOf('bin') });
    expect(cli.path).toBe(real);
    expect(await versionOf(cli, { PATH: systemPath })).toBe('called as gemini');
  });
});

describe('npx', () => {
  /** A stand-in that writes down how it was called, and then does what the script says. */
  async function installNpx(script: string, name = 'bin/npx'): Promise<string> {
    const log = [
      `printf '%s\\n' "$@" > "${root}/arguments"`,
      `env > "${root}/environment"`,
      `pwd > "${root}/directory"`,
      `cat package.json > "${root}/manifest"`,
      `ls -A > "${root}/files"`,
    ];
    await write(name, `#!/bin/sh\n${[...log, script].join('\n')}\n`);
    return pathOf('bin') + delimiter + systemPath;
  }

  const read = (name: string) => readFile(join(root, name), 'utf8');

  it('prints the place of the package, which is then used without npx', async () => {
    const script = await installPackage('cache');
    const PATH = await installNpx(`echo "${root}/cache/bin:/usr/bin"`);
    expect(await locateFound({ PATH })).toMatchObject({ path: script, version: '0.61.0', foundBy: 'npx' });
    expect(await read('arguments')).toBe(
      `--yes\n--no-workspaces\n--script-shell=/bin/sh\n--package=@google/gemini-cli\n--\n${process.execPath}\n-p\nprocess.env.PATH || process.env.Path\n`,
    );
  });

  it('CONFIG-05: runs in an empty project of ours, whatever the current directory holds', async () => {
    await write('project/.npmrc', 'script-shell=./evil\nregistry=http://127.0.0.1:1/\n');
    await write('project/node_modules/@google/gemini-cli/package.json', '{}');
    const PATH = await installNpx('echo /nowhere');
    process.chdir(join(root, 'project'));
    await locate({ PATH });
    expect([await read('files'), await read('manifest')]).toEqual(['package.json\n', '{}']);
    const directory = (await read('directory')).trim();
    expect(dirname(dirname(directory))).toBe(join(root, 'runs'));
    await expect(access(directory)).rejects.toThrow(/ENOENT/);
  });

  it('CONFIG-05, PROGRAM-06: gets no key, no variable of npm, and a search path without what anybody could have put there', async () => {
    const PATH = await installNpx('echo /nowhere');
    const evil = {
      GEMINI_API_KEY: 'canary-key',
      GOOGLE_API_KEY: 'canary-key',
      npm_config_registry: 'http://evil.invalid/',
      npm_config_script_shell: './evil',
      npm_config_node_options: '--require=./evil.cjs',
      NODE_OPTIONS: '--title=evil',
      LD_PRELOAD: './evil.so',
      ENV: './evil',
    };
    await locate({ PATH: `.:${PATH}`, HOME: root, ...evil });
    const environment = await read('environment');
    expect(environment).toContain(`HOME=${root}\n`);
    expect(environment).toContain(`PATH=${PATH}\n`);
    expect(environment).not.toContain('evil');
    expect(environment).not.toContain('canary-key');
  });

  it.runIf(process.platform === 'linux')(
    'STATE-04: leaves no process that it has started, not even one that ignores signals',
    async () => {
      const stubborn = `trap "" TERM HUP; echo $$ > "${root}/pid"; while :; do sleep 0.1; done`;
      const PATH = await installNpx(
        `(setsid sh -c '${stubborn}' &) ; while ! [ -s "${root}/pid" ]; do :; done; exit 1`,
      );
      await locate({ PATH });
      expect(isAlive({ pid: Number(await read('pid')), startTicks: null })).toBe(false);
    },
  );

  it.each([
    ['fails', 'echo "$PWD"; exit 1'],
    ['prints nothing', ''],
    ['prints a directory without the command', 'echo /usr'],
    ['prints a relative directory', 'echo bin'],
    ['is killed', 'kill -9 $$'],
  ])('that %s provides nothing', async (_, script) => {
    const PATH = await installNpx(script);
    await write('current/bin/gemini', '#!/bin/sh\n');
    process.chdir(join(root, 'current'));
    expect(await locate({ PATH })).toMatchObject({ found: false, detail: expect.stringContaining('npx') });
  });

  it('CONFIG-05: that leads to a directory that anybody may write to provides nothing', async () => {
    await installPackage('cache');
    await chmod(join(root, 'cache', 'bin'), 0o777);
    const PATH = await installNpx(`echo "${root}/cache/bin"`);
    expect(await locate({ PATH })).toMatchObject({ found: false });
  });

  it('PROGRAM-07: has its own project in a private directory, so that no other user can put a workspace around it', async () => {
    const PATH = await installNpx(`stat -c %a .. > "${root}/mode"; echo /nowhere`);
    await locate({ PATH });
    expect(await read('mode')).toBe('700\n');
  });

  it('PROGRAM-07: that leads into a project provides nothing', async () => {
    await installPackage('proj/cache');
    await mkdir(join(root, 'proj', 'deep'));
    const PATH = await installNpx(`echo "${root}/proj/cache/bin"`);
    process.chdir(join(root, 'proj'));
    expect(await locate({ PATH })).toMatchObject({ found: false });
  });

  it('ends on abort, and leaves no process and no project', async () => {
    const PATH = await installNpx(`echo $$ > "${root}/pid.new"; mv "${root}/pid.new" "${root}/pid"; exec sleep 300`);
    const controller = new AbortController();
    const location = locate({ PATH }, controller.signal);
    await whenFileExists(root, 'pid');
    controller.abort();
    expect(await location).toMatchObject({ found: false });
    expect(isAlive({ pid: Number(await read('pid')), startTicks: null })).toBe(false);
    await expect(access((await read('directory')).trim())).rejects.toThrow(/ENOENT/);
  });

  it.each(['node/node_modules', 'node/lib/node_modules'])(
    'next to Node, in %s, comes before one on PATH',
    async (modules) => {
      const PATH = await installNpx('echo /nowhere');
      const script = await write(`${modules}/npm/bin/npx-cli.js`, '');
      const nodePath = join(root, modules.includes('lib') ? 'node/bin/node' : 'node/node');
      await installNpx('echo /nowhere', nodePath.slice(root.length + 1));
      await locate({ PATH }, never, { nodePath });
      expect(await read('arguments')).toMatch(`${script}\n--yes\n`);
    },
  );
});

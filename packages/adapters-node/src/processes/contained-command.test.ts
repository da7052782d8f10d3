import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { makeSafeDirectory } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Command, containCommand } from './contained-command.ts';
import { isAlive } from './process-identity.ts';
import { findSystemProgram } from './programs/find-system-program.ts';

const run = promisify(execFile);
const systemPath = process.env['PATH'] ?? '';

let root: string;
const started: ChildProcess[] = [];

beforeEach(async () => {
  root = await makeSafeDirectory();
});

afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL');
  }
  await rm(root, { recursive: true });
});

/** Writes a program in place of setpriv, and resolves to its directory. */
async function installSetpriv(script: string, mode = 0o755): Promise<string> {
  const directory = join(root, 'bin');
  await mkdir(directory);
  await writeFile(join(directory, 'setpriv'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await chmod(directory, mode);
  return directory;
}

async function outputOf(command: Command): Promise<string> {
  const { stdout } = await run(command.file, [...command.arguments], { env: { PATH: systemPath } });
  return stdout;
}

const shell = (script: string): Command => ({ file: '/bin/sh', arguments: ['-c', script] });

describe.skipIf(process.platform === 'win32')('containCommand', () => {
  it.each([
    ['with setpriv', undefined],
    ['without setpriv', []],
  ])("%s: files are private, and the process id is the command's", async (_, directories) => {
    const { file, arguments: flags } = await containCommand(shell('umask; echo $$'), directories);
    const child = spawn(file, [...flags], { stdio: ['ignore', 'pipe', 'ignore'] });
    const output = (await child.stdout.toArray()).join('');
    expect(output).toBe(`0077\n${child.pid}\n`);
  });

  it.each([
    ['with setpriv', undefined],
    ['without setpriv', []],
  ])('ARGV-01, %s: words arrive as they are', async (_, directories) => {
    const words = ['', ' ', '--yolo', '-', '$(id)', '`id`', '"\'\\', '*', 'a\nb', '--', ';touch PWN', '日本語'];
    const print = ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--'];
    const command = await containCommand({ file: process.execPath, arguments: [...print, ...words] }, directories);
    expect(JSON.parse(await outputOf(command))).toEqual(words);
  });

  it('uses no setpriv that does not support the option', async () => {
    const path = await installSetpriv(`touch "${root}/asked"; echo "unrecognized option" >&2; exit 1`);
    const { arguments: flags } = await containCommand(shell('echo hello'), [path]);
    expect(flags).not.toContain(join(path, 'setpriv'));
    expect(await readdir(root)).toContain('asked');
  });

  it('uses a setpriv that supports the option, and checks it once', async () => {
    const path = await installSetpriv(`echo asked >> "${root}/log"; shift 3; exec "$@"`);
    const command = await containCommand(shell('echo hello'), [path]);
    await containCommand(shell('echo hello'), [path]);
    expect(command.arguments).toContain(join(path, 'setpriv'));
    expect(await outputOf(shell(`cat "${root}/log"`))).toBe('asked\n');
    expect(await outputOf(command)).toBe('hello\n');
  });

  it('PROGRAM-05: runs no setpriv that PATH leads to', async () => {
    const directory = await installSetpriv(`touch "${root}/PWN"; shift 3; exec "$@"`);
    process.env['PATH'] = [directory, systemPath].join(delimiter);
    const startedIn = process.cwd();
    process.chdir(directory);
    try {
      expect(await outputOf(await containCommand(shell('echo hello')))).toBe('hello\n');
    } finally {
      process.chdir(startedIn);
      process.env['PATH'] = systemPath;
    }
    expect(await readdir(root)).toEqual(['bin']);
  });

  it('CONFIG-05: runs no setpriv from a directory that anybody may write to', async () => {
    const directory = await installSetpriv(`touch "${root}/PWN"; shift 3; exec "$@"`, 0o777);
    expect(await outputOf(await containCommand(shell('echo hello'), [directory]))).toBe('hello\n');
    expect(await readdir(root)).toEqual(['bin']);
  });

  it('CLI-05: the command dies with a parent that is killed', async ({ skip }) => {
    skip(process.platform !== 'linux' || (await findSystemProgram('setpriv')) === null, 'needs util-linux');
    const command = await containCommand(shell('echo $$; exec sleep 300'));
    const script = `
      const { file, arguments: flags } = ${JSON.stringify(command)};
      require('node:child_process').spawn(file, flags, { detached: true, stdio: ['ignore', 'inherit', 'ignore'] });`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    started.push(parent);
    const pid = Number(String(await once(parent.stdout, 'data')));
    expect(isAlive({ pid, startTicks: null })).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive({ pid, startTicks: null })).toBe(false);
  });
});

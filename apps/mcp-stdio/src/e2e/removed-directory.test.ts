import { text } from '@gemini-mcp/port-contracts/offline-api';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create();
});

afterEach(() => setup.dispose());

/** Starts a program in a directory that it removes. */
const removing = ['/bin/sh', '-c', 'PATH=/usr/bin:/bin; mkdir gone && cd gone && rmdir ../gone && exec "$@"', 'sh'];

describe.skipIf(process.platform === 'win32')('the built server in a directory that was removed', () => {
  it('answers without a project, and says so', async () => {
    setup.api.reply(text('Hello'));
    const server = setup.spawn(setup.environmentWithoutCli(), [], removing);
    await server.initialize();
    expect(await server.query({ prompt: 'Hi' })).toMatchObject({ isError: false });
    expect(await server.query({ prompt: 'Hi', files: ['a.txt'] })).toMatchObject({ isError: true });
    expect(server.stderr).toMatch(
      /^gemini-mcp-server: The current directory has been removed, .* without a project\.\n/,
    );
  });

  it('runs commands for a terminal', async () => {
    const [file = '', ...words] = removing;
    const args = [...words, process.execPath, serverPath, '--print-config', 'cursor'];
    const options = { cwd: setup.project, env: setup.environmentWithoutCli(), extendEnv: false, reject: false };
    const { exitCode, stderr } = await execa(file, args, { ...options, timeout: 60_000 });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('has been removed') });
  });
});

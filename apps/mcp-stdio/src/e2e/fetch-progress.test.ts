import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFakeGeminiCli, makeSafeDirectory } from '@gemini-mcp/fake-gemini';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerProcess, serverPath } from './server-process.ts';

/** Where the server would find a CLI for all users of this machine, and ask no npx. */
const machineHasCli = ['/usr/local/bin', '/opt/homebrew/bin', '/home/linuxbrew/.linuxbrew/bin', '/usr/bin'].some(
  (directory) => existsSync(join(directory, 'gemini')),
);

describe.skipIf(machineHasCli || process.platform === 'win32')('a CLI that npx has to fetch, the built server', () => {
  let root: string;
  let node: string;
  let server: ServerProcess | undefined;

  beforeEach(async () => {
    root = await makeSafeDirectory();
    await mkdir(join(root, 'bin'));
    // Next to its own Node there is only npx from PATH, because npm is missing.
    node = join(root, 'node', 'bin', 'node');
    await mkdir(join(root, 'node', 'bin'), { recursive: true });
    await copyFile(process.execPath, node, constants.COPYFILE_FICLONE);
  });

  afterEach(async () => {
    server?.kill('SIGTERM');
    await server?.ended;
    await rm(root, { recursive: true, force: true });
  });

  it('reports progress to a waiting client before npx has fetched it', async () => {
    const gate = join(root, 'gate');
    await execa('mkfifo', [gate]);
    await createFakeGeminiCli({ directory: join(root, 'fetched') });
    const npx = `#!/bin/sh\nread -r line < "${gate}"\necho "${join(root, 'fetched')}"\n`;
    await writeFile(join(root, 'bin', 'npx'), npx, { mode: 0o755 });
    const environment = {
      PATH: join(root, 'bin'),
      HOME: root,
      GEMINI_API_KEY: 'AIza-key',
      GEMINI_MCP_RUNNER: 'headless',
      GEMINI_MCP_STATE_DIR: join(root, 'state'),
    };
    const started = new ServerProcess({ environment, cwd: root, command: [node, serverPath] });
    server = started;
    await started.initialize();
    const params = { name: 'gemini_query', arguments: { prompt: 'Hi' }, _meta: { progressToken: 'fetch' } };
    const { id, answer } = started.start('tools/call', params);
    await started.until(() =>
      started.messages.some(
        ({ method, params }) =>
          method === 'notifications/progress' &&
          String(params?.['message']).includes('Fetching the Gemini CLI with npx'),
      ),
    );
    expect(started.hasAnswered(id)).toBe(false);
    await writeFile(gate, 'go\n');
    expect(JSON.stringify((await answer).result)).toContain('This is the fake Gemini CLI.');
  });
});

import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { hang, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

const inContainer = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
const hasNamespaces = spawnSync(inContainer[0] ?? '', [...inContainer.slice(1), 'true']).status === 0;

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create('headless');
});

afterEach(() => setup.dispose());

describe('a state directory that servers share', () => {
  // Needs the right to make a namespace of process ids, which root has.
  it.skipIf(!hasNamespaces)(
    'STATE-01: a server does not clear away what one in another container is doing',
    async () => {
      setup.api.reply(hang());
      const contained = await setup.start({}, { launcher: inContainer });
      const asked = setup.api.requests.length;
      contained.start('tools/call', { name: 'gemini_query', arguments: { prompt: 'Hi' } });
      await setup.api.whenRequested(asked + 1);
      const [runId = ''] = await readdir(setup.runsDirectory);
      setup.api.reply(text('Answered.'));
      const other = await setup.start();
      // Its first sweep is over before the process of its call has ended.
      expect(await other.query({ prompt: 'Hi' })).toMatchObject({ isError: false });
      other.endInput();
      await other.ended;
      expect(await readdir(setup.runsDirectory)).toEqual([runId]);
      expect(setup.cliProcesses().length).toBeGreaterThan(0);
    },
  );
});

describe.skipIf(process.platform === 'win32')('a state directory that is not of this user alone', () => {
  const expectRefusal = async (directory: string, words: string) => {
    const server = setup.spawn({ GEMINI_MCP_STATE_DIR: directory });
    expect(await server.ended).toEqual({ exitCode: 2, signal: null });
    expect(server.stderr).toContain('GEMINI_MCP_STATE_DIR');
    expect(server.stderr).toContain(words);
    expect(server.messages).toEqual([]);
  };

  it('STATE-03: is refused at the start where others can write to it', async () => {
    const open = join(setup.root, 'open');
    await mkdir(open);
    await chmod(open, 0o777);
    await expectRefusal(open, 'can be written to by other users');
  });

  it('STATE-03: is refused if it is a link', async () => {
    const link = join(setup.root, 'link');
    await mkdir(setup.stateDirectory, { mode: 0o700 });
    await symlink(setup.stateDirectory, link);
    await expectRefusal(link, 'is a link');
  });
});

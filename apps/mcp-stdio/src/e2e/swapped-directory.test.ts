import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, readInvocations, SwapScene } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

// Model tools read directories, whichever backend runs: the CLI's own tools are off.
it.runIf(process.platform === 'linux')(
  'SWAP-01, SWAP-02: the built server reads nothing from outside while a directory and a link to its ancestor change places',
  { timeout: 600_000 },
  async () => {
    const setup = await ServerSetup.create('api');
    const scene = await SwapScene.create(setup.api, setup.project);
    const counts = await scene.race(await setup.start());
    process.stdout.write(`${JSON.stringify(counts)}\n`);
    expect(counts.leaks).toEqual([]);
    await setup.dispose();
  },
);

describe('a root that is replaced by a link while the built server runs', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create();
    await setup.playCli(cliAnswer('ok'));
  });

  afterEach(() => setup.dispose());

  it.each(['GEMINI_MCP_ROOTS', 'GEMINI_MCP_TRUSTED_DIRS'])(
    'SWAP-03: is not followed, of %s: nothing is read, and nothing runs there',
    async (variable) => {
      const [docs, outside] = [join(setup.project, 'docs'), join(setup.root, 'outside')];
      for (const directory of [docs, outside]) {
        await mkdir(directory);
        await writeFile(join(directory, 'a.txt'), 'CANARY');
      }
      // So that the working directory, which is a root, does not hold it.
      await mkdir(join(setup.project, 'work'));
      const server = await setup.start({ GEMINI_CLI_WORKING_DIR: join(setup.project, 'work'), [variable]: docs });
      // Before the first call: parts that are made for it later must not look again.
      await rename(docs, join(setup.project, 'aside'));
      await symlink('../outside', docs);
      const context = await server.call('gemini_context', {
        prompt: 'x',
        directories: [docs],
        files: [`${docs}/a.txt`],
      });
      expect(context.text).toContain('PATH_OUTSIDE_ROOT');
      const chat = await server.call('chat', { prompt: 'x', cwd: docs });
      expect(chat).toMatchObject({
        isError: true,
        text: expect.stringContaining('is outside the allowed directories'),
      });
      expect(await readInvocations(setup.cliDirectory)).toEqual([]);
    },
  );
});

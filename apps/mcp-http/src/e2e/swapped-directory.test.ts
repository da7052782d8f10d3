import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, readInvocations } from '@gemini-mcp/fake-gemini';
import { expect, it } from 'vitest';
import { HttpSetup } from './http-setup.ts';
import { clientOf } from './principals.ts';

it('SWAP-03: the built HTTP server does not follow a link that replaces the root of a principal', async () => {
  const setup = await HttpSetup.create();
  try {
    await setup.playCli(cliAnswer('ok'));
    const homes = join(setup.root, 'homes');
    for (const name of ['alice', 'bob']) {
      await mkdir(join(homes, name), { recursive: true });
      await writeFile(join(homes, name, 'a.txt'), 'CANARY');
    }
    const server = await setup.startFor(['alice', 'bob'].map((name) => ({ name, roots: [join(homes, name)] })));
    await rename(join(homes, 'alice'), join(homes, 'aside'));
    await symlink('bob', join(homes, 'alice'));
    const client = clientOf('alice', server);
    const context = await client.call('gemini_context', { prompt: 'x', files: ['a.txt'] });
    expect(context.text).toContain('PATH_OUTSIDE_ROOT');
    const words = expect.stringContaining('is outside the allowed directories');
    expect(await client.call('chat', { prompt: 'x', cwd: '.' })).toMatchObject({ isError: true, text: words });
    expect(await client.call('gemini_agent', { task: 'x' })).toMatchObject({ isError: true, text: words });
    client.close();
    expect(await readInvocations(setup.cliDirectory)).toEqual([]);
  } finally {
    await setup.dispose();
  }
});

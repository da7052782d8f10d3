import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, readInvocations, runnersUnderTest, SwapScene } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpSetup } from './http-setup.ts';
import { clientOf, writePrincipals } from './principals.ts';

describe.runIf(process.platform === 'linux').each(runnersUnderTest)('the built HTTP server, %s', (runner) => {
  let setup: HttpSetup;

  beforeEach(async () => {
    setup = await HttpSetup.create(runner);
  });

  afterEach(() => setup.dispose());

  it("SWAP-02: reads nothing of a neighbour while a principal's directory and a link change places", {
    timeout: 600_000,
  }, async () => {
    const home = join(setup.root, 'homes', 'alice');
    await mkdir(home, { recursive: true });
    const scene = await SwapScene.create(setup.api, home);
    const principals = join(setup.root, 'principals.json');
    // The server itself may read what lies around the root of the principal.
    await writePrincipals(principals, [
      { name: 'alice', roots: [home] },
      { name: 'bob', roots: [join(setup.root, 'homes')] },
    ]);
    const server = await setup.start({
      GEMINI_MCP_PRINCIPALS_FILE: principals,
      GEMINI_MCP_HTTP_RATE_LIMIT: '1000000',
    });
    const client = clientOf('alice', server);
    const counts = await scene.race(client);
    client.close();
    process.stdout.write(`HTTP, ${runner}: ${JSON.stringify(counts)}\n`);
    expect(counts.leaks).toEqual([]);
  });
});

it('SWAP-03: the built HTTP server does not follow a link that takes the place of the root of a principal', async () => {
  const setup = await HttpSetup.create();
  try {
    await setup.playCli(cliAnswer('ok'));
    const [homes, principals] = [join(setup.root, 'homes'), join(setup.root, 'principals.json')];
    for (const name of ['alice', 'bob']) {
      await mkdir(join(homes, name), { recursive: true });
      await writeFile(join(homes, name, 'a.txt'), 'CANARY');
    }
    await writePrincipals(principals, [
      { name: 'alice', roots: [join(homes, 'alice')] },
      { name: 'bob', roots: [join(homes, 'bob')] },
    ]);
    const server = await setup.start({ GEMINI_MCP_PRINCIPALS_FILE: principals });
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

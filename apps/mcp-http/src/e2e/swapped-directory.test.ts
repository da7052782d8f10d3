import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runnersUnderTest, SwapScene } from '@gemini-mcp/fake-gemini';
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
    const server = await setup.start({ GEMINI_MCP_PRINCIPALS_FILE: principals });
    const client = clientOf('alice', server);
    const counts = await scene.race(client);
    client.close();
    process.stdout.write(`HTTP, ${runner}: ${JSON.stringify(counts)}\n`);
    expect(counts.leaks).toEqual([]);
  });
});

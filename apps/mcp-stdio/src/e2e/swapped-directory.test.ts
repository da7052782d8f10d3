import { runnersUnderTest, SwapScene } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

describe.runIf(process.platform === 'linux').each(runnersUnderTest)('the built server, %s', (runner) => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create(runner);
  });

  afterEach(() => setup.dispose());

  it('SWAP-02: reads nothing from outside while a directory and a link to its ancestor change places', {
    timeout: 600_000,
  }, async () => {
    const scene = await SwapScene.create(setup.api, setup.project);
    const server = await setup.start();
    const counts = await scene.race(server);
    process.stdout.write(`stdio, ${runner}: ${JSON.stringify(counts)}\n`);
    expect(counts.leaks).toEqual([]);
  });
});

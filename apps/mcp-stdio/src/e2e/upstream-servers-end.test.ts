import { randomUUID } from 'node:crypto';
import { processesWith, stubbornServer, timeUntilGone } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

/** One each is some three seconds; `GEMINI_MCP_KILL_ROUNDS=50` is the full proof. */
const rounds = Number(process.env['GEMINI_MCP_KILL_ROUNDS'] ?? 1);

/** How long a client waits for the end of a server before it kills it. */
const patienceMs = 2_000;

type Ending = (server: ServerProcess) => void;

const endings: readonly (readonly [string, Ending])[] = [
  ['whose input ends', (server) => server.endInput()],
  ['that is asked to end', (server) => server.kill('SIGTERM')],
  ['that is killed', (server) => server.kill('SIGKILL')],
];

describe.runIf(process.platform === 'linux')('a built server that speaks with stubborn servers', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create('api');
  });

  afterEach(() => setup.dispose());

  /** One of its servers hangs in a call, and another one while connecting, for which a list waits. */
  async function start(word: string): Promise<ServerProcess> {
    const env = { WORD: word };
    const deaf = { command: 'sh', args: ['-c', `trap '' TERM HUP INT; while :; do sleep 1; done`], env };
    const stubborn = { ...stubbornServer, env };
    const servers = await setup.writeServers({ stubborn });
    const server = await setup.start({ ...servers, GEMINI_MCP_OFFER_SERVERS: 'all' });
    const { result } = await server.request('tools/list');
    expect(JSON.stringify(result)).toContain('stubborn__hang');
    server.start('tools/call', { name: 'stubborn__hang', arguments: {} });
    await setup.writeServers({ stubborn, deaf });
    // A list that comes while the call still looks at the settings has those of before: the next one has the new ones.
    const countAfterList = () => {
      server.start('tools/list', {});
      return processesWith(word).length;
    };
    await expect.poll(countAfterList).toBeGreaterThanOrEqual(5);
    return server;
  }

  it.each(endings)(
    `HUB-24: leaves no process of theirs after two seconds: one %s (${rounds} rounds)`,
    async (_, end) => {
      for (let round = 0; round < rounds; round += 1) {
        const word = randomUUID();
        const server = await start(word);
        end(server);
        expect(await timeUntilGone(word)).toBeLessThanOrEqual(patienceMs);
        await server.ended;
      }
    },
    60_000 + rounds * 20_000,
  );
});

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inOrder, text, toolCalls } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const look = toolCalls([{ name: 'mcp_lend_view_file', args: { file_path: 'a.txt' } }]);

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create();
  await writeFile(join(setup.project, 'a.txt'), 'CANARY');
});

afterEach(() => setup.dispose());

function start(): Promise<ServerProcess> {
  return setup.start({ GEMINI_MCP_RUNNER: 'warm' });
}

/** Begins a conversation that makes Gemini read a file. Resolves to its session. */
async function begin(server: ServerProcess): Promise<string> {
  setup.api.reply(inOrder(look, text('It is one word.')));
  const { isError, meta, text: said } = await server.call('chat', { prompt: 'What is in a.txt?' });
  expect([isError && said, sentLast().includes('CANARY')]).toEqual([false, true]);
  return String(meta?.['sessionId']);
}

async function goOn(server: ServerProcess, sessionId: string, prompt = 'And then?'): Promise<void> {
  setup.api.reply(text('Nothing.'));
  expect(await server.call('chat-reply', { prompt, sessionId })).toMatchObject({ isError: false });
}

/** All that Gemini was sent last. */
function sentLast(): string {
  return JSON.stringify(setup.api.requests.at(-1)?.contents ?? null);
}

describe('a conversation in a directory, the built server with warm processes', () => {
  it('remembers what Gemini has looked at, and has each turn once, also where another conversation has the same words', async () => {
    const server = await start();
    const [one, other] = [await begin(server), await begin(server)];
    await goOn(server, one);
    await goOn(server, other);
    expect(sentLast()).toContain('What is in a.txt?');
    await goOn(server, one, 'And now?');
    const turns = ['What is in a.txt?', 'It is one word.', 'And then?', 'Nothing.', 'And now?'];
    expect(turns.map((turn) => sentLast().split(`"${turn}"`).length - 1)).toEqual(turns.map(() => 1));
    expect(await setup.leftovers()).toEqual([]);
  });

  it('goes on from its history where its server was killed between two messages', async () => {
    const killed = await start();
    const sessionId = await begin(killed);
    killed.kill('SIGKILL');
    await killed.ended;
    expect(await setup.lastingProcesses()).toEqual([]);
    await goOn(await start(), sessionId);
    expect(['What is in a.txt?', 'It is one word.', 'CANARY'].map((said) => sentLast().includes(said))).toEqual([
      ...[true, true, false],
    ]);
    expect(await setup.leftovers()).toEqual([]);
  });

  it('gets everything that was said through another server in between', async () => {
    const [server, other] = [await start(), await start()];
    const sessionId = await begin(server);
    await goOn(other, sessionId, 'Said elsewhere.');
    await goOn(server, sessionId, 'Said here.');
    expect(
      ['What is in a.txt?', 'Said elsewhere.', 'Said here.', 'CANARY'].map((said) => sentLast().includes(said)),
    ).toEqual([...[true, true, true, false]]);
  });

  it('knows nothing of a directory in whose place there is another one now', async () => {
    const server = await start();
    const sessionId = await begin(server);
    await rename(setup.project, `${setup.project}-before`);
    await mkdir(setup.project);
    await writeFile(join(setup.project, 'a.txt'), 'OTHER');
    setup.api.reply(inOrder(look, text('It is one word.')));
    expect(await server.call('chat-reply', { prompt: 'And now?', sessionId })).toMatchObject({ isError: false });
    expect([sentLast().includes('OTHER'), sentLast().includes('CANARY')]).toEqual([true, false]);
  });
});

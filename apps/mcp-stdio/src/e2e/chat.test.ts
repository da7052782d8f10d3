import { cliWays, type RunnerUnderTest } from '@gemini-mcp/fake-gemini';
import { hostileText } from '@gemini-mcp/port-contracts';
import { grounded, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, expect, it } from 'vitest';
import type { ToolResult } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

function sessionOf({ meta }: ToolResult): string {
  return String(meta?.['sessionId']);
}

let setup: ServerSetup;

afterEach(() => setup.dispose());

async function create(runner: RunnerUnderTest): Promise<void> {
  setup = await ServerSetup.create(runner);
  setup.api.reply(({ userText }) => text(`Answer to ${userText.at(-1)?.includes('canary') ? 'canary' : 'you'}.`));
}

/** The turns that the model was sent in each call, in order, without the texts that the CLI adds. */
function conversations(): readonly (readonly string[])[] {
  return setup.api.requests
    .filter(({ method }) => method === 'streamGenerateContent')
    .map(({ contents }) =>
      contents.map(({ role, parts }) => `${role}: ${parts.map((part) => JSON.stringify(part)).join('')}`),
    );
}

it.each(cliWays)(
  'a conversation goes on, also after a restart, and the model is sent all of it each time, by the real Gemini CLI, %s',
  async (runner) => {
    await create(runner);
    const before = await setup.start();
    const sessionId = sessionOf(await before.call('chat', { prompt: `canary-one ${hostileText}` }));
    expect(await before.call('chat-reply', { prompt: 'canary-two' })).toMatchObject({ meta: { sessionId } });
    before.endInput();
    await before.ended;

    const after = await setup.start();
    const last = await after.call('chat-reply', { prompt: 'canary-three', sessionId });
    expect(last).toMatchObject({ isError: false, meta: { sessionId } });
    expect(last.text).toContain(`Session: ${sessionId}`);

    const [one = [], two = [], three = []] = conversations();
    const said = JSON.stringify(hostileText).slice(1, -1);
    expect(one.at(-1)).toContain(`canary-one ${said}`);
    expect(three.slice(-5).map((turn) => turn.split(':')[0])).toEqual(['user', 'model', 'user', 'model', 'user']);
    expect(two.slice(-3)[0]).toContain(`canary-one ${said}`);
    expect(two.slice(-3)[1]).toContain('Answer to canary.');
    expect(three.slice(-5)[0]).toContain(`canary-one ${said}`);
    expect(three.slice(-5)[2]).toContain('canary-two');
    expect(three.slice(-1)[0]).toContain('canary-three');
    expect(await setup.leftovers()).toEqual([]);
  },
);

it('two replies at once on one session are answered one after the other, and nothing is kept on the disk when retention is off', async () => {
  await create('api');
  const server = await setup.start({ GEMINI_MCP_SESSION_RETENTION_DAYS: '0' });
  const sessionId = sessionOf(await server.call('chat', { prompt: 'canary-one' }));
  const replies = await Promise.all(
    ['canary-two', 'canary-three'].map((prompt) => server.call('chat-reply', { prompt, sessionId })),
  );
  expect(replies.map(({ isError }) => isError)).toEqual([false, false]);
  const turns = conversations().map((conversation) => conversation.filter((turn) => turn.includes('canary')).length);
  // Prompts that name a canary, and the answers to them: one, then three, then five.
  expect(turns).toEqual([1, 3, 5]);
  expect(await setup.filesHolding('canary')).toEqual([]);
});

it('a conversation searches the web over the API, shows its sources, and sends them with the next message', async () => {
  setup = await ServerSetup.create();
  const source = { title: 'example.org', url: 'https://example.org/fox' };
  setup.api.reply(grounded('Foxes are red.', [source], ['colour of foxes']));
  const server = await setup.startWithoutCli();
  const { text: shown } = await server.call('chat', { prompt: 'What colour are foxes?', search: true });
  expect(shown).toContain('Foxes are red. [1]');
  expect(shown).toContain('[1] example.org: https://example.org/fox');
  await server.call('chat-reply', { prompt: 'Who says so?' });
  const requests = setup.api.requests.filter(({ method }) => method === 'streamGenerateContent');
  expect(requests.map(({ hasGoogleSearch, functionNames }) => [hasGoogleSearch, functionNames])).toEqual([
    [true, []],
    [true, []],
  ]);
  expect(JSON.stringify(requests[1]?.contents)).toContain('[1] example.org: https://example.org/fox');
});

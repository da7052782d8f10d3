import { describe, expect, it } from 'vitest';
import { AskGemini } from '../ask-gemini/ask-gemini.ts';
import type { Grounding } from '../ports/gemini-runner/grounding.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import { SessionRecords } from '../session/session-records.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { InMemoryContextResolver } from '../testing/in-memory-context-resolver.ts';
import { ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import type { ScriptedRun } from '../testing/scripted-run.ts';
import { Chat } from './chat.ts';
import { first, ignore, never, next, numberedIds } from './testing/chat-samples.ts';

const tool = { name: 'google_web_search' } as const;

const grounding: Grounding = {
  queries: ['colour of foxes'],
  sources: [{ url: 'https://example.org/fox', title: 'Foxes', isRedirect: false }],
  supports: [{ start: 0, end: 14, sources: [0] }],
};

const found: ScriptedRun = {
  chunks: ['Foxes are red.'],
  tools: [
    { ...tool, phase: 'started' },
    { ...tool, phase: 'succeeded' },
  ],
  grounding,
};

const directory = { path: '/project', isOptional: true };

function createScene(
  script: (index: number) => ScriptedRun = () => found,
  capabilities: Partial<RunnerCapabilities> = {},
) {
  const clock = new FakeClock(1_000);
  const runner = new ScriptedGeminiRunner({ clock, capabilities, script: (_, index) => script(index) });
  const askGemini = new AskGemini({
    ...{ clock, runner, boundaryOf: () => 'b0', random: () => 0 },
    resolver: new InMemoryContextResolver({ tree: {}, clock }),
    modelChain: ['pro'],
  });
  const sessions = new SessionRecords();
  const directories: (string | undefined)[] = [];
  // The directory is read by tools, which this runner does not get.
  const withoutDirectory: Pick<AskGemini, 'ask'> = {
    ask: ({ directory: named, ...request }, onProgress, signal) => {
      directories.push(named?.path);
      return askGemini.ask(request, onProgress, signal);
    },
  };
  const chat = new Chat({ clock, sessions, askGemini: withoutDirectory, runner, createId: numberedIds() });
  const stored = async () => (await sessions.load('ann', 'id-1', never))?.session;
  return { chat, runner, stored, directories };
}

describe('a conversation that searches', () => {
  it('marks what rests on sources, lists them, and looks into no directory', async () => {
    const { chat, runner, directories } = createScene();
    const result = await chat.start({ ...first, search: true, directory }, ignore, never);
    expect(result).toMatchObject({
      ok: true,
      answer: {
        text: 'Foxes are red. [1]',
        notices: ['Gemini looked into no directory, because this message uses the web'],
      },
      sourceLines: ['Sources:', '[1] Foxes: https://example.org/fox', 'Searched for: "colour of foxes"'],
    });
    const [asked] = runner.requests;
    expect(asked).toMatchObject({ input: 'hello', settings: { tools: 'web-search' } });
    expect(asked?.settings?.systemPrompt).toContain('Write no list of sources');
    expect(directories).toEqual([undefined]);
  });

  it('goes on to search, and knows the sources of its answers', async () => {
    const { chat, runner, stored } = createScene();
    await chat.start({ ...first, search: true }, ignore, never);
    await chat.reply(next, ignore, never);
    expect(runner.requests[1]).toMatchObject({
      settings: { tools: 'web-search' },
      history: [
        { role: 'user', text: 'hello' },
        { role: 'model', text: expect.stringMatching(/^Foxes are red\. \[1\]\n\nSources:\n\[1\] Foxes: https:/) },
      ],
    });
    expect(await stored()).toMatchObject({ search: true });
  });

  it('can begin and end in the middle, and gets its directory back', async () => {
    const { chat, runner, stored, directories } = createScene();
    await chat.start({ ...first, directory }, ignore, never);
    await chat.reply({ ...next, search: true }, ignore, never);
    await chat.reply({ ...next, search: false }, ignore, never);
    expect(runner.requests.map(({ settings }) => settings?.tools)).toEqual(['none', 'web-search', 'none']);
    expect(directories).toEqual(['/project', undefined, '/project']);
    expect(await stored()).not.toHaveProperty('search');
  });

  it('keeps a system prompt of its own', async () => {
    const { chat, runner } = createScene();
    const settings = { ...first.settings, systemPrompt: 'Be brief.' };
    await chat.start({ ...first, settings, search: true }, ignore, never);
    expect(runner.requests[0]?.settings).toMatchObject({ systemPrompt: 'Be brief.', tools: 'web-search' });
  });

  it('has Gemini name the sources if the runner does not', async () => {
    const { grounding: _, ...withoutSources } = found;
    const { chat, runner, stored } = createScene(() => withoutSources, { grounding: false });
    const result = await chat.start({ ...first, search: true }, ignore, never);
    expect(result).toMatchObject({ ok: true, answer: { text: 'Foxes are red.' } });
    expect(runner.requests[0]?.settings?.systemPrompt).toContain('google_web_search');
    expect((await stored())?.turns[1]?.text).toBe('Foxes are red.');
  });

  it.each<[string, Partial<ScriptedRun>, string]>([
    ['did not search', { tools: [] }, 'Gemini did not search the web for this answer'],
    [
      'failed to search',
      { tools: [{ ...tool, phase: 'failed', failure: { kind: 'quota-exhausted', excerpt: '' } }] },
      'The answer does not rest on a search of the web: the daily quota of this model is used up',
    ],
  ])('says that Gemini %s', async (_, more, notice) => {
    const { chat } = createScene(() => ({ chunks: ['Foxes are red.'], ...more }));
    expect(await chat.start({ ...first, search: true }, ignore, never)).toMatchObject({
      ok: true,
      answer: { notices: [notice] },
    });
  });
});

describe('pages in a conversation', () => {
  it('are read for one message', async () => {
    const urls = ['https://example.org/'];
    const { chat, runner, directories } = createScene(() => ({
      chunks: ['Yes.'],
      pages: [{ url: 'https://example.org/', outcome: 'read' }],
    }));
    const result = await chat.start({ ...first, directory, urls }, ignore, never);
    await chat.reply(next, ignore, never);
    expect(runner.requests.map((request) => [request.urls, request.settings?.tools])).toEqual([
      [urls, 'none'],
      [undefined, 'none'],
    ]);
    expect(directories).toEqual([undefined, '/project']);
    expect(result).toMatchObject({
      answer: { pages: [{ outcome: 'read' }], notices: [expect.stringContaining('no directory')] },
    });
  });

  it('are a failure if the runner reads none', async () => {
    const { chat } = createScene(() => found, { urls: false });
    expect(await chat.start({ ...first, urls: ['https://example.org/'] }, ignore, never)).toMatchObject({
      ok: false,
      failed: { failure: { kind: 'unsupported', feature: 'urls' } },
    });
  });
});

it('a message with servers cannot search, and asks nothing', async () => {
  const { chat, runner } = createScene();
  await chat.start({ ...first, search: true }, ignore, never);
  const servers = { names: ['notes'], providers: [] };
  expect(await chat.reply({ ...next, servers: servers as never }, ignore, never)).toMatchObject({
    ok: false,
    failed: { failure: { kind: 'servers-refused', detail: expect.stringContaining('search: false') } },
  });
  expect(runner.requests).toHaveLength(1);
});

import type { AnswerEnding } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import type { ToolOutcome } from '../surface/tool.ts';
import { ConnectedTools } from '../testing/connected-tools.ts';

function sessionOf({ meta }: ToolOutcome): string {
  return String(meta?.['sessionId']);
}

const tree = { 'a/a.txt': '', 'b/b.txt': '' };

const rememberAll = new ConnectedTools({ script: (input) => ({ chunks: [`You said ${input}.`] }) });

describe('chat and chat-reply', () => {
  it('chat answers with a session id, in the text and as data', async () => {
    const outcome = await rememberAll.call('chat', { prompt: 'one' });
    expect(outcome.isError).toBe(false);
    expect(sessionOf(outcome)).toMatch(/^[0-9a-f-]{36}$/);
    expect(outcome.parts).toEqual(['You said one.', `Session: ${sessionOf(outcome)}`]);
  });

  it('chat-reply sends all that was said before', async () => {
    const tools = new ConnectedTools({ script: (input) => ({ chunks: [`You said ${input}.`] }) });
    const sessionId = sessionOf(await tools.call('chat', { prompt: 'one' }));
    await tools.call('chat-reply', { prompt: 'two', sessionId });
    await tools.call('chat-reply', { prompt: 'three' });
    expect(tools.runner.requests.map(({ input, history = [] }) => [history.map(({ text }) => text), input])).toEqual([
      [[], 'one'],
      [['one', 'You said one.'], 'two'],
      [['one', 'You said one.', 'two', 'You said two.'], 'three'],
    ]);
  });

  it('keeps system prompt, directory and model for the whole conversation, until others are given', async () => {
    const tools = new ConnectedTools({ tree });
    const first = { prompt: 'one', systemPrompt: 'Be brief.', cwd: 'a', model: 'gemini-3.8-flash' };
    const sessionId = sessionOf(await tools.call('chat', first));
    await tools.call('chat-reply', { prompt: 'two', sessionId });
    await tools.call('chat-reply', { prompt: 'three', sessionId, systemPrompt: 'Be long.', cwd: 'b' });
    await tools.call('chat-reply', { prompt: 'four', sessionId, model: 'gemini-3.1-pro-preview' });
    const directories = tools.opened.map(({ workingDirectory, mode }) => [workingDirectory, mode]);
    expect(directories).toEqual(['a', 'a', 'b', 'b'].map((name) => [`/project/${name}`, 'plan']));
    expect(tools.runner.requests.map(({ model, settings }) => [model, settings?.systemPrompt])).toEqual([
      ['gemini-3.8-flash', 'Be brief.'],
      ['gemini-3.8-flash', 'Be brief.'],
      ['gemini-3.8-flash', 'Be long.'],
      ['gemini-3.1-pro-preview', 'Be long.'],
    ]);
  });

  it('search the web with sources as long as the conversation says so, and read pages', async () => {
    const url = 'https://example.org/fox';
    const tools = new ConnectedTools({
      script: () => ({
        chunks: ['Foxes are red.'],
        tools: [{ name: 'google_web_search', phase: 'succeeded' }],
        grounding: {
          queries: ['foxes'],
          sources: [{ url, title: 'Foxes \u001b[2J', isRedirect: false }],
          supports: [{ start: 0, end: 14, sources: [0] }],
        },
      }),
    });
    const { parts } = await tools.call('chat', { prompt: 'What colour are foxes?', search: true });
    expect(parts[0]).toBe('Foxes are red. [1]');
    expect(parts[1]).toContain(`Sources:\n[1] Foxes: ${url}\nSearched for: "foxes"\nSession: `);
    await tools.call('chat-reply', { prompt: 'And cubs?', urls: [url] });
    expect(tools.runner.requests[1]).toMatchObject({ settings: { tools: 'web-search' }, urls: [url] });
    expect(tools.opened).toEqual([]);
  });

  it.each([
    ['chat', { search: true, cwd: 'a' }, '- cwd: cannot be combined with search or urls'],
    ['chat-reply', { urls: ['https://example.org/'], cwd: 'a' }, '- cwd: cannot be combined with search or urls'],
    ['chat', { urls: ['http://127.0.0.1/'] }, 'must be an address of the public web'],
  ])('%s refuses %j', async (name, args, problem) => {
    const tools = new ConnectedTools({ tree });
    expect(await tools.call(name, { prompt: 'x', ...args })).toMatchObject({
      isError: true,
      text: expect.stringContaining(problem),
    });
    expect(tools.runner.requests).toEqual([]);
  });

  it('keeps a cut answer as it came, so that Gemini can go on from there, and nothing of a blocked one (CUT-01, CUT-02)', async () => {
    const endings: Readonly<Record<string, AnswerEnding>> = {
      cut: { type: 'output-limit' },
      blocked: { type: 'blocked', what: 'answer', reason: 'SAFETY' },
    };
    const tools = new ConnectedTools({
      script: (input) => ({ chunks: [`half of ${input}`], ending: endings[input] ?? { type: 'complete' } }),
    });
    const cut = await tools.call('chat', { prompt: 'cut' });
    expect(cut.parts).toEqual(['half of cut', expect.stringMatching(/^\[WARNING: The answer is cut: /)]);
    const sessionId = sessionOf(cut);
    const blocked = await tools.call('chat-reply', { prompt: 'blocked', sessionId });
    expect(blocked).toMatchObject({ isError: true, text: expect.stringContaining('| half of blocked') });
    await tools.call('chat-reply', { prompt: 'go on', sessionId });
    expect(tools.runner.requests.at(-1)?.history?.map((turn) => turn.text)).toEqual(['cut', 'half of cut']);
  });

  it('lists the existing sessions for an unknown one', async () => {
    const tools = new ConnectedTools();
    const sessionId = sessionOf(await tools.call('chat', { prompt: 'About foxes' }));
    const unknown = '11111111-2222-4333-8444-555555555555';
    const outcome = await tools.call('chat-reply', { prompt: 'x', sessionId: unknown });
    expect(outcome.isError).toBe(true);
    expect(outcome.text).toMatch(/^Error executing gemini: /);
    expect(outcome.text).toContain(sessionId);
    expect(outcome.text).toContain('About foxes');
  });

  it("another client's session is as unknown as one that never was", async () => {
    const tools = new ConnectedTools();
    const sessionId = sessionOf(await tools.call('chat', { prompt: 'My secret' }));
    const bob = await tools.connect('bob');
    const stolen = await tools.call('chat-reply', { prompt: 'x', sessionId }, { client: bob });
    const newest = await tools.call('chat-reply', { prompt: 'x' }, { client: bob });
    const never = '11111111-2222-4333-8444-555555555555';
    const invented = await tools.call('chat-reply', { prompt: 'x', sessionId: never }, { client: bob });
    expect(stolen).toEqual(invented);
    expect(newest.isError).toBe(true);
    expect(`${stolen.text}${newest.text}`).not.toContain('secret');
    expect(tools.runner.requests).toHaveLength(1);
  });

  it.each(['../../x', '-r', '--session-file=/etc/passwd', 'latest', ''])(
    'ARGV-07: refuses %j for a session id before anything is done',
    async (sessionId) => {
      const tools = new ConnectedTools();
      const outcome = await tools.call('chat-reply', { prompt: 'x', sessionId });
      expect(outcome.text).toContain('must be a session id as chat returns it, a UUID');
      expect(tools.runner.requests).toEqual([]);
    },
  );

  it('LOAD-04: answers two replies at once on one session one after the other', async () => {
    const tools = new ConnectedTools({ script: (input) => ({ chunks: [`re ${input}`] }) });
    const sessionId = sessionOf(await tools.call('chat', { prompt: 'one' }));
    await Promise.all(['two', 'three'].map((prompt) => tools.call('chat-reply', { prompt, sessionId })));
    const histories = tools.runner.requests.map(({ history = [] }) => history.length);
    expect(histories).toEqual([0, 2, 4]);
  });

  it('falls back with the history, and begins each message with the best model again', async () => {
    const gone = { kind: 'capacity-exhausted', excerpt: '' } as const;
    const tools = new ConnectedTools({
      script: (input, index) => (index === 1 ? { failure: gone } : { chunks: [`You said ${input}.`] }),
    });
    await tools.call('chat', { prompt: 'one' });
    const second = await tools.call('chat-reply', { prompt: 'two' });
    expect(second.parts[1]).toMatch(/^\[WARNING: Fell back to gemini-3\.8-flash\]\n/);
    await tools.call('chat-reply', { prompt: 'three' });
    expect(tools.runner.requests.map(({ model, history = [] }) => [model, history.length])).toEqual([
      ['gemini-3.1-pro-preview', 0],
      ['gemini-3.1-pro-preview', 2],
      ['gemini-3.8-flash', 2],
      ['gemini-3.1-pro-preview', 4],
    ]);
  });

  it('never replaces a model that was named, in no message of the conversation', async () => {
    const spent = { kind: 'quota-exhausted', excerpt: 'limit: 0' } as const;
    const tools = new ConnectedTools({
      script: (_, index) => (index === 0 ? { chunks: ['One.'] } : { failure: spent }),
    });
    await tools.call('chat', { prompt: 'one', model: 'gemini-3.1-pro-preview' });
    const failed = await tools.call('chat-reply', { prompt: 'two' });
    expect(failed).toMatchObject({ isError: true });
    expect(failed.text).toContain('the daily quota of this model is used up');
    expect(tools.runner.requests.map(({ model }) => model)).toEqual([
      'gemini-3.1-pro-preview',
      'gemini-3.1-pro-preview',
    ]);
  });

  it('a conversation that no longer fits fails with the advice to begin a new one', async () => {
    const tools = new ConnectedTools({ script: () => ({ chunks: ['x'.repeat(3_999_990)] }) });
    await tools.call('chat', { prompt: 'one' });
    const { text, isError } = await tools.call('chat-reply', { prompt: 'and two?' });
    expect(isError).toBe(true);
    expect(text.split('\n')).toEqual([
      'Error executing gemini: the message is too large for one call.',
      expect.stringMatching(
        /^What to do: It comes to 4,000,001 characters, and 4,000,000 is the limit\. Send a shorter message\. A conversation that has grown too long is best replaced by a new one,/,
      ),
    ]);
    expect(tools.runner.requests).toHaveLength(1);
  });

  it('fails in the words that users of older wrappers know', async () => {
    const tools = new ConnectedTools({
      script: () => ({
        failure: { kind: 'cli-missing' as const, detail: '' },
      }),
    });
    const outcome = await tools.call('chat', { prompt: 'one' });
    expect(outcome.text).toMatch(/^Error executing gemini: Error: gemini-cli not found in PATH\n/);
    expect(outcome.meta).toBeUndefined();
  });
});

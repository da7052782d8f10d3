import { describe, expect, it } from 'vitest';
import type { ToolOutcome } from '../surface/tool.ts';
import { ConnectedTools } from '../testing/connected-tools.ts';

const tree = { 'a/a.txt': '', 'b/b.txt': '' };

const searched = { name: 'google_web_search', phase: 'succeeded' } as const;
const script = () => ({ tools: [searched], chunks: ['The answer.'] });

function sessionOf({ meta }: ToolOutcome): string {
  return String(meta?.['sessionId']);
}

describe('a caller for whom no files may be read', () => {
  const runPolicy = { allowYolo: true, mayReadFiles: false };

  it.each([
    ['geminiChat', { prompt: 'Hi' }, 'none'],
    ['geminiChat', { prompt: 'Hi', sandbox: true }, 'none'],
    ['chat', { prompt: 'Hi' }, 'none'],
    ['googleSearch', { query: 'Hi' }, 'web-search'],
  ])('%s %j is run without a directory, with tools %s', async (name, args, tools) => {
    const connected = new ConnectedTools({ script, runPolicy });
    expect(await connected.call(name, args)).toMatchObject({ isError: false });
    expect(connected.runner.requests.map(({ settings, directory }) => [settings?.tools, directory])).toEqual([
      [tools, undefined],
    ]);
    expect(connected.opened).toEqual([]);
  });

  it.each([
    ['geminiChat', { prompt: 'Hi', workingDirectory: '.' }, 'workingDirectory'],
    ['geminiChat', { prompt: 'Hi', yolo: true }, 'yolo'],
    ['googleSearch', { query: 'Hi', workingDirectory: '/' }, 'workingDirectory'],
    ['googleSearch', { query: 'Hi', yolo: true }, 'yolo'],
    ['chat', { prompt: 'Hi', cwd: '.' }, 'cwd'],
    ['chat-reply', { prompt: 'Hi', cwd: '/' }, 'cwd'],
  ])('%s %j is refused before anything is run', async (name, args, argument) => {
    const connected = new ConnectedTools({ script, runPolicy });
    const text = expect.stringMatching(
      new RegExp(`^Error executing gemini: ${argument} lets Gemini read files, which is not allowed to you\\.`),
    );
    expect(await connected.call(name, args)).toMatchObject({ isError: true, text });
    expect(connected.runner.requests).toEqual([]);
  });

  it('goes on with a conversation without the directory that it had, which stays there for others', async () => {
    const connected = new ConnectedTools({ tree });
    const sessionId = sessionOf(await connected.call('chat', { prompt: 'one', cwd: 'a' }));
    const narrow = await connected.connect('alice', { mayReadFiles: false });
    await connected.call('chat-reply', { prompt: 'two', sessionId }, { client: narrow });
    await connected.call('chat-reply', { prompt: 'three', sessionId });
    expect(connected.runner.requests.map(({ toolProviders = [] }) => toolProviders.length)).toEqual([1, 0, 1]);
    expect(connected.opened.map(({ workingDirectory }) => workingDirectory)).toEqual(['/project/a', '/project/a']);
  });

  it('geminiChat is offered as what changes nothing', () => {
    const offered = new ConnectedTools({ runPolicy }).tools.find(({ name }) => name === 'geminiChat');
    expect(offered?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  });
});

describe('a caller with roots of its own', () => {
  const roots = ['/project/a'];

  it.each([
    ['geminiChat', { prompt: 'Hi', workingDirectory: 'a' }],
    ['chat', { prompt: 'Hi', cwd: 'a' }],
  ])('%s %j hands them on', async (name, args) => {
    const connected = new ConnectedTools({ tree, runPolicy: { roots } });
    await connected.call(name, args);
    expect(connected.opened).toMatchObject([{ workingDirectory: '/project/a', roots }]);
  });

  it.each([
    ['geminiChat', { prompt: 'Hi', workingDirectory: 'b' }],
    ['chat', { prompt: 'Hi', cwd: 'b' }],
  ])('%s %j is refused as any directory that is not allowed', async (name, args) => {
    const connected = new ConnectedTools({ tree, runPolicy: { roots } });
    const text = expect.stringContaining('/project/b');
    expect(await connected.call(name, args)).toMatchObject({ isError: true, text });
    expect(connected.runner.requests).toEqual([]);
  });

  it('goes on with a conversation without a directory that lies outside, and is told', async () => {
    const connected = new ConnectedTools({ tree });
    const sessionId = sessionOf(await connected.call('chat', { prompt: 'one', cwd: 'b' }));
    const narrow = await connected.connect('alice', { roots });
    const { text, isError } = await connected.call('chat-reply', { prompt: 'two', sessionId }, { client: narrow });
    expect(isError).toBe(false);
    expect(text).toContain('Gemini could not look into the working directory: ');
    expect(connected.runner.requests.map(({ toolProviders = [] }) => toolProviders.length)).toEqual([1, 0]);
    const named = await connected.call('chat-reply', { prompt: 'x', sessionId, cwd: 'b' }, { client: narrow });
    expect(named.isError).toBe(true);
  });
});

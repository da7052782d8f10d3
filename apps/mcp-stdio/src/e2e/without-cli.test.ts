import { readFileSync } from 'node:fs';
import { mkdir, readdir, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildWatch, watchChildren } from '@gemini-mcp/fake-gemini';
import { grounded, invalidApiKey, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { playAgent, toldToAgent } from './scripted-agent.ts';
import type { ServerProcess, ToolResult } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;
let children: ChildWatch;

beforeEach(async () => {
  setup = await ServerSetup.create();
  children = await watchChildren(setup.root);
});

afterEach(async () => {
  await setup.dispose();
});

const start = (environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> =>
  setup.startWithoutCli({ ...children.environment, ...environment });

const way = '\nWay: Gemini API (API key)\n';

const readers = ['view_file', 'look_at', 'list_files', 'search_files'];

function sessionOf({ meta }: ToolResult): string {
  return String(meta?.['sessionId']);
}

/** The turns that each request brought, as text. */
function conversations(): readonly (readonly string[])[] {
  return setup.api.requests.map(({ contents }) => contents.map(({ parts }) => JSON.stringify(parts)));
}

describe.each(['auto', 'api'])('the built server with a key, where no Gemini CLI is installed, %s', (runner) => {
  const begin = (): Promise<ServerProcess> => start({ GEMINI_MCP_RUNNER: runner });

  afterEach(async () => {
    expect(await children.started()).toEqual([]);
  });

  it('answers about files and a PDF, and says by which way', async () => {
    await writeFile(join(setup.project, 'a.txt'), 'alpha\n');
    await writeFile(join(setup.project, 'b.pdf'), '%PDF-1.4\n%%EOF\n');
    setup.api.reply(text('It is alpha.'));
    const server = await begin();
    const answer = await server.query({ prompt: 'What is it?', files: ['a.txt', 'b.pdf'] });
    expect(answer).toMatchObject({ isError: false, text: expect.stringMatching(/^It is alpha\.\nModel: /) });
    expect(answer.text).toContain(way);
    expect(answer.meta?.['gemini-mcp-server/account']).toMatchObject({
      carriedBy: { runner: 'api', by: 'Gemini API', login: 'API key' },
    });
    const parts = JSON.stringify(setup.api.requests[0]?.contents);
    expect(parts).toContain('application/pdf');
    expect(parts).toContain('alpha');
  });

  it('goes on with a conversation after a restart, and lends Gemini tools for the directory each time', async () => {
    setup.api.reply(text('Hello.'));
    const before = await begin();
    const begun = await before.call('chat', { prompt: 'one' });
    expect(begun).toMatchObject({ isError: false, text: expect.not.stringContaining('Note:') });
    before.endInput();
    await before.ended;
    const after = await begin();
    const reply = await after.call('chat-reply', { prompt: 'two', sessionId: sessionOf(begun) });
    expect(reply).toMatchObject({ isError: false, text: expect.stringContaining('\nWay: Gemini API (API key)') });
    expect(conversations().at(-1)).toEqual([
      expect.stringContaining('one'),
      expect.stringContaining('Hello.'),
      expect.stringContaining('two'),
    ]);
    expect(setup.api.requests.map(({ functionNames }) => functionNames)).toEqual([readers, readers]);
  });

  it('looks into a directory that a call names, and into none outside of the roots', async () => {
    await mkdir(join(setup.project, 'docs'));
    await writeFile(join(setup.project, 'docs', 'a.txt'), 'alpha\n');
    playAgent(setup.api, [[['view_file', { file_path: 'a.txt' }]]], 'It is alpha.');
    const server = await begin();
    const answer = await server.call('geminiChat', { prompt: 'What is it?', workingDirectory: 'docs' });
    expect(answer.text).toMatch(/^It is alpha\./);
    expect(toldToAgent(setup.api)).toEqual([expect.stringContaining('alpha')]);
    const asked = setup.api.requests.length;
    const outside = await server.call('geminiChat', { prompt: 'Hi', workingDirectory: '/etc' });
    expect(outside).toMatchObject({
      isError: true,
      text: expect.stringContaining('/etc is outside the allowed directories'),
    });
    expect(setup.api.requests).toHaveLength(asked);
  });

  it('goes on with a conversation whose directory is gone, and refuses one that a reply names', async () => {
    setup.api.reply(text('Hello.'));
    const docs = join(setup.project, 'docs');
    await mkdir(docs);
    const server = await begin();
    const begun = await server.call('chat', { prompt: 'one', cwd: 'docs' });
    await rmdir(docs);
    const sessionId = sessionOf(begun);
    const reply = await server.call('chat-reply', { prompt: 'two', sessionId });
    const notice = `Note: Gemini could not look into the working directory: There is no ${docs}.`;
    expect(reply).toMatchObject({ isError: false, text: expect.stringContaining(notice) });
    expect(setup.api.requests.map(({ functionNames }) => functionNames)).toEqual([readers, []]);
    await mkdir(docs);
    expect((await server.call('chat-reply', { prompt: 'three', sessionId })).text).not.toContain('Note:');
    expect(setup.api.requests.at(-1)?.functionNames).toEqual(readers);
    const missing = await server.call('chat-reply', { prompt: 'four', sessionId, cwd: 'nowhere' });
    expect(missing).toMatchObject({ isError: true, text: expect.stringContaining('nowhere') });
    expect(setup.api.requests).toHaveLength(3);
  });

  it('searches the web in one request', async () => {
    setup.api.reply(grounded('Foxes are red.', [{ title: 'example.org', url: 'https://example.org/fox' }], ['foxes']));
    const server = await begin();
    const answer = await server.call('googleSearch', { query: 'What colour are foxes?' });
    const sources = 'Sources:\n[1] example.org: https://example.org/fox\nSearched for: "foxes"';
    expect(answer).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^Foxes are red\. \[1\]\nModel: /),
    });
    expect(answer.text).toContain(`\n${sources}`);
    const raw = await server.call('googleSearch', { query: 'What colour are foxes?', raw: true });
    expect(JSON.parse(raw.text)).toEqual({
      summary: 'Foxes are red.',
      sources: [{ url: 'https://example.org/fox', title: 'example.org', snippet: 'Foxes are red.' }],
      queries: ['foxes'],
      supports: [{ text: 'Foxes are red.', sources: [0] }],
    });
    expect(setup.api.requests.map(({ hasGoogleSearch }) => hasGoogleSearch)).toEqual([true, true]);
  });

  it('has pages read, and tells which were', async () => {
    const urls = ['https://example.com/a', 'https://a.example/b'];
    const server = await begin();
    const answer = await server.query({ prompt: 'Compare @them.', urls });
    expect(answer.text).toContain('\nPages: 1 of 2 read\n  - could not be read: https://a.example/b');
    const [request] = setup.api.requests;
    expect(request).toMatchObject({ pageUrls: urls, userText: ['Compare @them.', expect.any(String)] });
    const none = await server.query({ prompt: 'And this?', urls: urls.slice(1) });
    expect(none.text).toMatch(/\n\[WARNING: Google read none of the pages/);
  });

  it('works in the background', async () => {
    setup.api.reply(text('At last.'));
    const server = await begin();
    const begun = await server.query({ prompt: 'Think.', background: true });
    const [handle] = /[0-9a-f]{24}/.exec(begun.text) ?? [];
    const done = await server.call('gemini_job', { handle, action: 'wait', timeout: 60 });
    expect(done).toMatchObject({ isError: false, text: expect.stringContaining('At last.') });
  });

  it('takes a key that is refused for the end, and hides it', async () => {
    setup.api.reply(invalidApiKey());
    const server = await begin();
    const answer = await server.query({ prompt: 'Hi' });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('GEMINI_API_KEY') });
    expect(answer.text).not.toContain(setup.environmentWithoutCli()['GEMINI_API_KEY']);
    expect(server.stderr).not.toContain(setup.environmentWithoutCli()['GEMINI_API_KEY']);
  });

  it('logs its runs as those of the CLI are, and loads nothing for the API before a call', async () => {
    setup.api.reply(text('Hello.'));
    const server = await begin();
    await server.request('tools/list');
    expect(readFileSync(`/proc/${server.pid}/maps`, 'utf8')).not.toContain('undici');
    await server.query({ prompt: 'Hi' });
    const events = server.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toContainEqual(expect.objectContaining({ event: 'run-started', way: 'api', login: 'gemini-key' }));
    expect(events).toContainEqual(expect.objectContaining({ event: 'run-ended', outcome: 'answered' }));
  });
});

it('looks into a trusted directory over the API as into any other', async () => {
  const server = await start({ GEMINI_MCP_TRUSTED_DIRS: setup.project });
  const begun = await server.call('chat', { prompt: 'one' });
  const replies = [
    begun,
    await server.call('chat-reply', { prompt: 'two', sessionId: sessionOf(begun) }),
    await server.call('geminiChat', { prompt: 'three' }),
  ];
  for (const { text: said } of replies) {
    expect(`${said}\n`).toContain(way);
    expect(said).not.toContain('Note:');
  }
  expect(setup.api.requests.map(({ functionNames }) => functionNames)).toEqual([readers, readers, readers]);
  expect(await children.started()).toEqual([]);
});

it('keeps the compiled code of what calls of the API need, and uses it again', async () => {
  setup.api.reply(text('Hello.'));
  await mkdir(setup.stateDirectory, { mode: 0o700 });
  const compiled = join(setup.stateDirectory, 'compiled');
  const kept: string[][] = [];
  for (let round = 0; round < 2; round += 1) {
    const server = await start();
    expect(await server.query({ prompt: 'Hi' })).toMatchObject({ isError: false });
    server.endInput();
    await server.ended;
    const names = (await readdir(compiled)).filter((name) => name.startsWith('undici'));
    kept.push(await Promise.all(names.map(async (name) => `${name} ${(await stat(join(compiled, name))).ino}`)));
  }
  expect(kept[0]).toHaveLength(1);
  expect(kept[1]).toEqual(kept[0]);
});

it('carries a call with a key of its own over the API where the server has none', async () => {
  setup.api.reply(text('Hello.'));
  const server = await start({ GEMINI_MCP_RUNNER: 'api', GEMINI_API_KEY: '' });
  const refused = await server.query({ prompt: 'Hi' });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('set GEMINI_API_KEY') });
  const apiKey = setup.environmentWithoutCli()['GEMINI_API_KEY'];
  const answer = await server.call('geminiChat', { prompt: 'Hi', apiKey });
  expect(answer).toMatchObject({ isError: false, text: expect.stringContaining('Gemini API (key of the call)') });
  expect(setup.api.requests).toHaveLength(1);
  expect(await children.started()).toEqual([]);
});

it('sends nothing to a server that anyone on the way could be, and says so', async () => {
  const server = await start({ GEMINI_MCP_RUNNER: 'api', GOOGLE_GEMINI_BASE_URL: 'http://gateway.example.org' });
  const answer = await server.query({ prompt: 'Hi' });
  expect(answer).toMatchObject({
    isError: true,
    text: expect.stringContaining('GOOGLE_GEMINI_BASE_URL must begin with https://'),
  });
  expect(setup.api.requests).toEqual([]);
});

it('a conversation that goes from the API to the CLI and back loses no turn', async () => {
  setup.api.reply(text('Hello.'));
  let sessionId: string | undefined;
  for (const [runner, prompt] of [
    ['api', 'canary-one'],
    ['warm', 'canary-two'],
    ['api', 'canary-three'],
  ] as const) {
    const server = await setup.start({ GEMINI_MCP_RUNNER: runner });
    const said =
      sessionId === undefined
        ? await server.call('chat', { prompt })
        : await server.call('chat-reply', { prompt, sessionId });
    expect(said.isError).toBe(false);
    expect(said.text).toContain(runner === 'api' ? 'Way: Gemini API' : 'Way: Gemini CLI');
    sessionId = sessionOf(said);
    server.endInput();
    await server.ended;
  }
  const said = conversations().map((turns) => turns.join(' ').match(/canary-\w+/g));
  expect(said).toEqual([['canary-one'], ['canary-one', 'canary-two'], ['canary-one', 'canary-two', 'canary-three']]);
});

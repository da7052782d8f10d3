import { readFileSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildWatch, watchChildren } from '@gemini-mcp/fake-gemini';
import { grounded, invalidApiKey, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess, ToolResult } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;
let children: ChildWatch;

beforeEach(async () => {
  setup = await ServerSetup.create();
  children = await watchChildren(setup.root);
});

afterEach(() => setup.dispose());

const start = (environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> =>
  setup.startWithoutCli({ ...children.environment, ...environment });

const way = '\nVia: Gemini API (API key)\n';

const readers = ['view_file', 'look_at', 'list_files', 'search_files'];

function sessionOf({ meta }: ToolResult): string {
  return String(meta?.['sessionId']);
}

/** The turns that each request brought, as text. */
function conversations(): readonly (readonly string[])[] {
  return setup.api.requests.map(({ contents }) => contents.map(({ parts }) => JSON.stringify(parts)));
}

describe('the built server with a key and without the Gemini CLI', () => {
  afterEach(async () => {
    expect(await children.started()).toEqual([]);
  });

  it('answers about files and a PDF, and names the backend', async () => {
    await writeFile(join(setup.project, 'a.txt'), 'alpha\n');
    await writeFile(join(setup.project, 'b.pdf'), '%PDF-1.4\n%%EOF\n');
    setup.api.reply(text('It is alpha.'));
    const server = await start();
    const answer = await server.query({ prompt: 'What is it?', files: ['a.txt', 'b.pdf'] });
    expect(answer).toMatchObject({ isError: false, text: expect.stringMatching(/^It is alpha\.\nModel: /) });
    expect(answer.text).toContain(way);
    expect(answer.meta?.['gemini-mcp-server/account']).toMatchObject({
      handledBy: { runner: 'api', by: 'Gemini API', login: 'API key' },
    });
    const parts = JSON.stringify(setup.api.requests[0]?.contents);
    expect(parts).toContain('application/pdf');
    expect(parts).toContain('alpha');
  });

  it('goes on with a conversation after a restart, and offers Gemini tools for the directory each time', async () => {
    setup.api.reply(text('Hello.'));
    const before = await start();
    const begun = await before.call('chat', { prompt: 'one' });
    expect(begun).toMatchObject({ isError: false, text: expect.not.stringContaining('Note:') });
    before.endInput();
    await before.ended;
    const after = await start();
    const reply = await after.call('chat-reply', { prompt: 'two', sessionId: sessionOf(begun) });
    expect(reply).toMatchObject({ isError: false, text: expect.stringContaining('\nVia: Gemini API (API key)') });
    expect(conversations().at(-1)).toEqual([
      expect.stringContaining('one'),
      expect.stringContaining('Hello.'),
      expect.stringContaining('two'),
    ]);
    expect(setup.api.requests.map(({ functionNames }) => functionNames)).toEqual([readers, readers]);
  });

  it('searches the web in one request', async () => {
    setup.api.reply(grounded('Foxes are red.', [{ title: 'example.org', url: 'https://example.org/fox' }], ['foxes']));
    const server = await start();
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

  it('takes a key that is refused for the end, and hides it', async () => {
    setup.api.reply(invalidApiKey());
    const server = await start();
    const answer = await server.query({ prompt: 'Hi' });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('GEMINI_API_KEY') });
    expect(answer.text).not.toContain(setup.environmentWithoutCli()['GEMINI_API_KEY']);
    expect(server.stderr).not.toContain(setup.environmentWithoutCli()['GEMINI_API_KEY']);
  });

  it('logs its runs as those of the CLI are, and loads nothing for the API before a call', async () => {
    setup.api.reply(text('Hello.'));
    const server = await start();
    await server.request('tools/list');
    expect(readFileSync(`/proc/${server.pid}/maps`, 'utf8')).not.toContain('undici');
    await server.query({ prompt: 'Hi' });
    const events = server.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'run-started', backend: 'api', login: 'gemini-key' }),
    );
    expect(events).toContainEqual(expect.objectContaining({ event: 'run-ended', outcome: 'answered' }));
  });
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

it('runs a call with its own key over the API if the server has no key', async () => {
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
    expect(said.text).toContain(runner === 'api' ? 'Via: Gemini API' : 'Via: Gemini CLI');
    sessionId = sessionOf(said);
    server.endInput();
    await server.ended;
  }
  const said = conversations().map((turns) => turns.join(' ').match(/canary-\w+/g));
  expect(said).toEqual([['canary-one'], ['canary-one', 'canary-two'], ['canary-one', 'canary-two', 'canary-three']]);
});

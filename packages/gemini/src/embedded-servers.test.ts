import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { SystemClock } from '@gemini-mcp/adapters-node';
import type { ApprovalOutcome, ApprovalQuestion, Approver, ToolCall, ToolResult } from '@gemini-mcp/core';
import { ScriptedGeminiRunner, type ScriptedRun } from '@gemini-mcp/core/testing';
import { processesWith, timeUntilGone } from '@gemini-mcp/fake-gemini';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { createGemini } from './create-gemini.ts';
import { client } from './embedded-servers.ts';
import type { Gemini } from './gemini.ts';
import type { GeminiOptions } from './gemini-options.ts';
import { loopHeader, loopVariable } from './upstreams/reach-server.ts';

const program = fileURLToPath(new URL('testing/notes-server.mjs', import.meta.url));

let root: string;
/** The marker of this test's server processes. */
let word: string;
const open: Gemini[] = [];

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'embedded-servers-')));
  word = randomUUID();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(open.splice(0).map((gemini) => gemini.close()));
  expect(await timeUntilGone(word)).toBeLessThan(2_000);
  await rm(root, { recursive: true });
});

const notesFile = () => join(root, 'notes');
const notes = (more: object = {}) => ({
  command: process.execPath,
  args: [program, notesFile()],
  env: { WORD: word },
  ...more,
});

type Call = Pick<ToolCall, 'name' | 'arguments'>;

/** A Gemini that makes these calls in each run. `offered` and `results` are what it got. */
function toolSession(calls: readonly Call[], options: GeminiOptions = {}) {
  const offered: string[][] = [];
  const results: ToolResult[] = [];
  const script = (): ScriptedRun => ({
    toolSession: {
      rounds: calls.map((call) => [call]),
      onOffered: (names) => offered.push([...names]),
      onResults: (made) => results.push(...made),
    },
    chunks: ['Done.'],
  });
  const runner = new ScriptedGeminiRunner({ clock: new SystemClock(), script });
  const gemini = createGemini({
    workingDirectory: root,
    stateDirectory: join(root, 'state'),
    environment: { HOME: root, PATH: process.env['PATH'], GEMINI_API_KEY: 'a key' },
    runner,
    mcpServers: { notes: notes() },
    ...options,
  });
  open.push(gemini);
  return { gemini, runner, offered, results };
}

const add: Call = { name: 'notes__add', arguments: { text: 'milk' } };
const tell: Call = { name: 'notes__tell', arguments: {} };

/** Answers every question with this, and keeps the questions. */
function answering(answer: 'once' | 'run' | 'no'): Approver & { readonly questions: ApprovalQuestion[] } {
  const questions: ApprovalQuestion[] = [];
  const ask = async (question: ApprovalQuestion): Promise<ApprovalOutcome> => {
    questions.push(question);
    return { type: 'answered', answer };
  };
  return { ask, questions };
}

describe('The servers of createGemini', () => {
  it('lend Gemini their tools in a question, each call with the consent of the approver', async () => {
    const { gemini, offered, results } = toolSession([add]);
    const approver = answering('once');
    const result = await gemini.ask('Note that.', { servers: ['notes'], approver });
    expect(result).toMatchObject({
      ok: true,
      text: 'Done.',
      notices: [expect.stringMatching(/^Called add of notes/), expect.anything()],
    });
    expect(offered).toEqual([[add.name, tell.name, 'notes__wait']]);
    expect(results[0]?.text).toContain('Noted: milk');
    expect(approver.questions.map(({ subject }) => subject)).toMatchObject([
      { type: 'tool', server: 'notes', tool: 'add', arguments: { text: 'milk' } },
    ]);
    expect(await readFile(notesFile(), 'utf8')).toBe('milk\n');
  });

  it('lend them in a conversation, to the messages that name them', async () => {
    const { gemini, offered } = toolSession([add]);
    const chat = gemini.chat();
    await chat.reply('Note that.', { servers: ['notes'], approver: answering('once') });
    await chat.reply('And now?');
    expect(offered.map((names) => names.length)).toEqual([3, 0]);
    expect(await readFile(notesFile(), 'utf8')).toBe('milk\n');
  });

  it('lend them to work on a project, next to its own tools', async () => {
    const { gemini, offered } = toolSession([add]);
    const worked = await gemini.work('Note that.', { servers: ['notes'], approver: answering('once') });
    expect(worked.account?.calls).toMatchObject({ count: 1 });
    expect(offered[0]).toEqual(expect.arrayContaining(['view_file', add.name]));
  });

  it('have a call refused where the program gives no approver, and where that one says no', async () => {
    const { gemini, results } = toolSession([add]);
    const unasked = await gemini.ask('Note that.', { servers: ['notes'] });
    expect(JSON.stringify(unasked)).toContain('This program gave the call no `approver` who could consent.');
    await gemini.ask('Note that.', { servers: ['notes'], approver: answering('no') });
    expect(results.map(({ isDone }) => isDone)).toEqual([false, false]);
    await expect(readFile(notesFile())).rejects.toThrow('ENOENT');
  });

  it('need no consent if they are trusted and the work may change something', async () => {
    const { gemini, results } = toolSession([add], { mcpServers: { notes: notes({ trust: true }) } });
    await gemini.work('Note that.', { servers: ['notes'], mode: 'edit' });
    await gemini.ask('Note that.', { servers: ['notes'] });
    expect(results.map(({ isDone }) => isDone)).toEqual([true, false]);
  });

  it('have of the environment what their entry says, secrets by reference, and the mark of who has started them', async () => {
    await writeFile(join(root, 'token'), 's3cret\n', { mode: 0o600 });
    const { gemini, results } = toolSession([tell], {
      mcpServers: { notes: notes({ env: { WORD: word, TOKEN: 'file:token' } }) },
    });
    await gemini.ask('Tell.', { servers: ['notes'], approver: answering('once') });
    const told = { TOKEN: 's3cret', [loopVariable]: '1', directory: root };
    expect(results[0]?.text).toContain(JSON.stringify(told));
  });
});

it('A server with an address is asked with its headers, and with the mark of who asks', async () => {
  await writeFile(join(root, 'token'), 's3cret\n', { mode: 0o600 });
  const heard = new Set<string>();
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'notes', version: '1' },
    },
    'tools/list': { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'Noted.' }] },
  };
  const server = createServer(async (request, response) => {
    heard.add(`${request.headers['x-key']} ${typeof request.headers[loopHeader]}`);
    const { id, method } = request.method === 'POST' ? JSON.parse(await readText(request)) : {};
    const withoutAnswer = method === undefined ? 405 : 202;
    response.writeHead(id === undefined ? withoutAnswer : 200, { 'content-type': 'application/json' });
    response.end(id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const url = `http://127.0.0.1:${port}/mcp`;
  const { gemini, results: got } = toolSession([add], {
    mcpServers: { notes: { url, headers: { 'X-Key': 'file:token' } } },
  });
  await gemini.ask('Note that.', { servers: ['notes'], approver: answering('once') });
  expect(got[0]?.text).toContain('Noted.');
  expect([...heard]).toEqual(['s3cret string']);
  await gemini.close();
  server.closeAllConnections();
  server.close();
});

describe('A call that names servers', () => {
  const kind = 'servers-refused';

  it.each<[string, GeminiOptions, string]>([
    ['that are not there', {}, 'No enabled server is named "nots". Did you mean "notes"? The servers are: "notes".'],
    ['and createGemini has no servers', { mcpServers: undefined }, 'createGemini was given no `mcpServers`.'],
    [
      'with a mistake in their settings',
      { mcpServers: { nots: { command: 'node', arg: [] } } as unknown as GeminiOptions['mcpServers'] },
      'createGemini was given a wrong `mcpServers.nots.arg`: Unknown property. Did you mean "args"?',
    ],
    [
      'in a program that was started as a server itself',
      { environment: { [loopVariable]: '1' } },
      'No server is named "nots": no other servers are configured. This program runs as a server of another program of its kind, and so offers none.',
    ],
  ])('%s asks nothing and says why', async (_, options, detail) => {
    const { gemini, runner } = toolSession([], options);
    const servers = ['nots'];
    const failed = { ok: false, failure: { kind, cause: { detail }, text: expect.stringContaining(detail) } };
    expect(await gemini.ask('What?', { servers })).toMatchObject(failed);
    expect(await gemini.chat().reply('What?', { servers })).toMatchObject({ ...failed, chatId: null });
    expect(await gemini.work('What?', { servers })).toMatchObject({ ...failed, account: null });
    expect(runner.requests).toEqual([]);
  });

  it('asks nothing in such a program, whatever environment it gives', async () => {
    vi.stubEnv(loopVariable, '1');
    const { gemini, runner } = toolSession([]);
    expect(await gemini.ask('What?', { servers: ['notes'] })).toMatchObject({ ok: false, failure: { kind } });
    expect(runner.requests).toEqual([]);
  });

  it('says in a notice that one could not be started', async () => {
    const { gemini } = toolSession([], { mcpServers: { gone: { command: '/nonexistent/server' } } });
    const result = await gemini.ask('What?', { servers: ['gone'] });
    expect(result).toMatchObject({ ok: true, notices: [expect.stringContaining('The tools of gone are unknown.')] });
  });

  it('ends a call of theirs when it is aborted', async () => {
    const { gemini } = toolSession([{ name: 'notes__wait', arguments: {} }]);
    const leaving = new AbortController();
    const approver: Approver = {
      ask: async () => {
        setImmediate(() => leaving.abort());
        return { type: 'answered', answer: 'once' };
      },
    };
    const asked = await gemini.ask('Wait.', { servers: ['notes'], approver, signal: leaving.signal });
    expect(asked).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
    expect(processesWith(word)).toHaveLength(1);
  });

  it('starts nothing before, keeps the process for the next call, and close ends it', async () => {
    const { gemini, offered } = toolSession([]);
    await gemini.ask('What?');
    expect(processesWith(word)).toEqual([]);
    await gemini.ask('What?', { servers: ['notes'] });
    const [first] = processesWith(word);
    await gemini.ask('What?', { servers: ['notes'] });
    expect(processesWith(word)).toEqual([first]);
    expect(offered.map((names) => names.length)).toEqual([0, 3, 3]);
    await gemini.close();
    expect(processesWith(word)).toEqual([]);
  });
});

it('A program that imports createGemini loads nothing that speaks MCP', async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('index.ts', import.meta.url))],
    conditions: ['@gemini-mcp/source'],
    ...{ bundle: true, platform: 'node', format: 'esm', splitting: true, mainFields: ['module', 'main'] },
    ...{ outdir: root, write: false, metafile: true, external: ['@napi-rs/keyring'] },
  });
  const loaded = new Set<string>();
  const load = (file: string): void => {
    loaded.add(file);
    const { imports = [] } = metafile.outputs[file] ?? {};
    for (const { kind, path } of imports) {
      if (kind === 'import-statement' && !loaded.has(path)) {
        load(path);
      }
    }
  };
  const [entry = ''] = Object.keys(metafile.outputs).filter((file) => file.endsWith('/index.js'));
  load(entry);
  const inputs = [...loaded].flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}));
  expect(inputs.filter((path) => path.includes('packages/gemini/'))).not.toEqual([]);
  expect(inputs.filter((path) => /packages\/upstreams\/|@modelcontextprotocol|\/undici\//.test(path))).toEqual([]);
});

it('Servers see the version of the package', () => {
  expect(client.version).toBe(manifest.version);
});

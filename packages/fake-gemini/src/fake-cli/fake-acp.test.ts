import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonRecord, type JsonRecord } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AcpProcessScript, FakeAcpScenario } from './acp-scenario.ts';
import { acpAnswer, acpEcho } from './acp-scripts.ts';
import { createFakeGeminiCli } from './create-fake-gemini-cli.ts';
import { giveAcpSteps } from './give-acp-steps.ts';
import { type RawAcpClient, startRawAcpClient } from './raw-acp-client.ts';
import { readAcpProcesses, whenAcpRecorded } from './read-acp-processes.ts';
import { readInvocations, readVersionQueries } from './read-invocations.ts';

let root: string;
let directory: string;
let clients: RawAcpClient[];

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'fake-acp-')));
  directory = join(root, 'cli');
  clients = [];
});

afterEach(async () => {
  for (const { child, ended } of clients) {
    child.kill('SIGKILL');
    await ended;
  }
  await rm(root, { recursive: true });
});

async function start(acp?: FakeAcpScenario): Promise<RawAcpClient> {
  const path = await createFakeGeminiCli({ directory, ...(acp === undefined ? {} : { acp }) });
  const client = startRawAcpClient(path, { GEMINI_CLI_HOME: join(root, 'home'), GEMINI_MODEL: 'none' });
  clients.push(client);
  return client;
}

function play(script: AcpProcessScript): Promise<RawAcpClient> {
  return start({ processes: [script] });
}

async function newSession(client: RawAcpClient): Promise<string> {
  const { result } = await client.request('session/new', { cwd: root, mcpServers: [] });
  return String(isJsonRecord(result) ? result['sessionId'] : 'none');
}

function prompt(client: RawAcpClient, sessionId: string, ...texts: readonly string[]): Promise<JsonRecord> {
  const parts = texts.map((text) => ({ type: 'text', text }));
  return client.request('session/prompt', { sessionId, prompt: parts });
}

/** The texts of one kind of update, in order. */
function said(client: RawAcpClient, sessionId: string, kind = 'agent_message_chunk'): readonly unknown[] {
  const messages = client.lines().filter((line) => line !== '');
  return messages
    .map((line): unknown => JSON.parse(line))
    .flatMap((message) => (isJsonRecord(message) && isJsonRecord(message['params']) ? [message['params']] : []))
    .filter((params) => params['sessionId'] === sessionId)
    .flatMap(({ update }) => (isJsonRecord(update) && update['sessionUpdate'] === kind ? [update['content']] : []))
    .map((content) => (isJsonRecord(content) ? content['text'] : null));
}

describe('the protocol', () => {
  it('introduces itself as the real CLI does', async () => {
    const client = await start();
    expect(await client.request('initialize', { protocolVersion: 1, clientCapabilities: {} })).toMatchObject({
      result: { protocolVersion: 1, agentInfo: { name: 'gemini-cli', version: '0.61.0' } },
    });
    expect(await client.request('authenticate', { methodId: 'gemini-api-key' })).toMatchObject({ result: {} });
  });

  it('gives every session an id of its own, the model of the flag and the commands', async () => {
    const client = await start();
    const reply = await client.request('session/new', { cwd: root, mcpServers: [] });
    expect(reply).toMatchObject({
      result: { modes: { currentModeId: 'default' }, models: { currentModelId: 'gemini-2.5-pro' } },
    });
    const [first, second] = [await newSession(client), await newSession(client)];
    expect(first).not.toBe(second);
    expect(said(client, first, 'available_commands_update')).toHaveLength(1);
  });

  it('answers each prompt by an echo of its last text, with its usage', async () => {
    const client = await start();
    const [first, second] = [await newSession(client), await newSession(client)];
    const replies = await Promise.all([
      prompt(client, first, 'header\n', '@one é'),
      prompt(client, second, 'header\n', '/two'),
    ]);
    expect(said(client, first)).toEqual([acpEcho('@one é')]);
    expect(said(client, second)).toEqual([acpEcho('/two')]);
    const token_count = { input_tokens: 4, output_tokens: Math.ceil(acpEcho('@one é').length / 4) };
    const quota = { token_count, model_usage: [{ model: 'gemini-2.5-pro', token_count }] };
    expect(replies[0]?.['result']).toEqual({ stopReason: 'end_turn', _meta: { quota } });
  });

  it('takes a line of megabytes as it is', async () => {
    const client = await start();
    const text = '@./ /init é日本\u2028 $HOME\n'.repeat(200_000);
    const sessionId = await newSession(client);
    await prompt(client, sessionId, text);
    expect(said(client, sessionId)).toEqual([acpEcho(text)]);
  });

  it('cancels a prompt that waits, by notification or by a second prompt', async () => {
    const client = await play({ prompts: [[{ do: 'say', chunks: ['begun'] }, { do: 'hang' }], [{ do: 'hang' }], []] });
    const sessionId = await newSession(client);
    client.notify('session/cancel', { sessionId });
    const first = prompt(client, sessionId, 'one');
    await client.whenMessage(() => said(client, sessionId).includes('begun'));
    client.notify('session/cancel', { sessionId });
    expect((await first)['result']).toEqual({ stopReason: 'cancelled' });
    const second = prompt(client, sessionId, 'two');
    const third = prompt(client, sessionId, 'three');
    expect((await second)['result']).toEqual({ stopReason: 'cancelled' });
    expect(await third).toMatchObject({ result: { stopReason: 'end_turn' } });
    const [process] = await readAcpProcesses(directory);
    expect(process?.cancels).toEqual([
      { sessionId, wasRunning: false },
      { sessionId, wasRunning: true },
    ]);
  });

  it('refuses what the real CLI refuses, in its words', async () => {
    const client = await start();
    const error = async (method: string, params: JsonRecord): Promise<unknown> =>
      (await client.request(method, params))['error'];
    expect(await error('session/close', {})).toMatchObject({ code: -32601 });
    expect(await error('session/new', { mcpServers: [] })).toMatchObject({ code: -32603 });
    expect(await error('session/new', { cwd: join(root, 'none'), mcpServers: [] })).toMatchObject({
      code: -32603,
      data: { details: `Directory does not exist: ${join(root, 'none')}` },
    });
    const unknown = { code: -32602, message: 'Session not found: none' };
    expect(await error('session/prompt', { sessionId: 'none', prompt: [] })).toEqual(unknown);
    expect(await error('session/set_model', { sessionId: 'none', modelId: 'x' })).toEqual(unknown);
    const sessionId = await newSession(client);
    expect(await error('session/prompt', { sessionId, prompt: [] })).toMatchObject({ code: 500 });
    expect(await error('session/set_mode', { sessionId, modeId: 'none' })).toMatchObject({ code: -32603 });
  });

  it('skips invalid JSON lines, and ends with stdin', async () => {
    const client = await start();
    client.child.stdin.write('{broken\n\n[1]\n"x"\n');
    expect(await client.request('_ping')).toMatchObject({ error: { code: -32601 } });
    client.child.stdin.end();
    expect(await client.ended).toEqual({ exitCode: 0, signal: null, stderr: '' });
    expect(await readAcpProcesses(directory)).toMatchObject([{ unknownMethods: ['_ping'], sawInputEnd: true }]);
  });

  it('ends with 0 on SIGTERM', async () => {
    const client = await start();
    await client.request('initialize');
    client.child.kill('SIGTERM');
    expect(await client.ended).toMatchObject({ exitCode: 0, signal: null });
  });
});

describe('session/load', () => {
  const id = 'abcdef01-2222-4333-8444-555555555555';

  async function writeSession(slug: string, records: readonly JsonRecord[]): Promise<void> {
    const chats = join(root, 'home', '.gemini', 'tmp', slug, 'chats');
    await mkdir(chats, { recursive: true });
    const lines = [{ sessionId: id, kind: 'main' }, ...records].map((record) => `${JSON.stringify(record)}\n`);
    await writeFile(join(chats, 'session-2020-01-01T00-00-abcdef01.jsonl'), lines.join(''));
  }

  it('replays the turns of a file as it is after its changes', async () => {
    await mkdir(join(root, 'My Place.1'));
    await writeSession('my-place-1', [
      { $set: { messages: [{ id: '0', type: 'user', content: [{ text: '<session_context>\n</session_context>' }] }] } },
      { id: '1', type: 'user', content: [{ text: '@Q ' }, { text: 'one' }] },
      { id: '2', type: 'gemini', content: 'A one' },
      { id: '3', type: 'user', content: 'taken back' },
      { $rewindTo: '3' },
      { $set: { lastUpdated: 'now' } },
    ]);
    const client = await start();
    const cwd = join(root, 'My Place.1');
    const reply = await client.request('session/load', { sessionId: id, cwd, mcpServers: [] });
    expect(reply).toMatchObject({ result: { models: { currentModelId: 'gemini-2.5-pro' } } });
    expect((await prompt(client, id, 'two'))['result']).toMatchObject({ stopReason: 'end_turn' });
    expect(said(client, id, 'user_message_chunk')).toEqual(['@Q one']);
    expect(said(client, id)).toEqual(['A one', acpEcho('two')]);
    const [process] = await readAcpProcesses(directory);
    expect(process?.sessions).toMatchObject([
      {
        id,
        cwd,
        history: [
          { role: 'user', text: '@Q one' },
          { role: 'model', text: 'A one' },
        ],
      },
    ]);
  });

  it('looks up the name of the place where the CLI has written one down', async () => {
    await writeSession('place-2', [{ id: '1', type: 'user', content: 'Q' }]);
    await writeFile(
      join(root, 'home', '.gemini', 'projects.json'),
      JSON.stringify({ projects: { [root]: 'place-2' } }),
    );
    const client = await start();
    await client.request('session/load', { sessionId: id, cwd: root, mcpServers: [] });
    await client.whenMessage(() => said(client, id, 'user_message_chunk').includes('Q'));
  });

  it('knows no session without a file', async () => {
    const client = await start();
    const { error } = await client.request('session/load', { sessionId: id, cwd: root, mcpServers: [] });
    expect(error).toMatchObject({ code: -32603, data: { details: expect.stringContaining(id) } });
  });
});

describe('recordings', () => {
  it('report the process, the prompts and their order', async () => {
    const client = await start();
    const sessionId = await newSession(client);
    await client.request('session/set_model', { sessionId, modelId: 'gemini-2.5-flash' });
    await client.request('session/set_mode', { sessionId, modeId: 'yolo' });
    await prompt(client, sessionId, 'one');
    const media = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    await client.request('session/prompt', { sessionId, prompt: [media, { type: 'text', text: 'x'.repeat(20_000) }] });
    const [process] = await readAcpProcesses(directory);
    expect(process).toMatchObject({ number: 0, pid: client.child.pid, argv: ['--acp', '--model=gemini-2.5-pro'] });
    expect(process?.env).toMatchObject({ GEMINI_MODEL: 'none' });
    expect(process?.sessions).toEqual([{ id: sessionId, cwd: root, history: null }]);
    expect(process?.modelChanges).toEqual([{ sessionId, modelId: 'gemini-2.5-flash' }]);
    expect(process?.modeChanges).toEqual([{ sessionId, modeId: 'yolo' }]);
    const sha256 = createHash('sha256').update('x'.repeat(20_000)).digest('hex');
    expect(process?.prompts).toMatchObject([
      { turn: 0, model: 'gemini-2.5-flash', parts: [{ type: 'text', text: 'one', mimeType: null }] },
      {
        turn: 1,
        parts: [
          { type: 'image', text: 'AAAA', mimeType: 'image/png' },
          { characters: 20_000, sha256, text: null },
        ],
      },
    ]);
  });

  it('counts the processes apart from the runs, and can be kept to the starts', async () => {
    const client = await start({ processes: [{}], records: 'starts' });
    const sessionId = await newSession(client);
    await prompt(client, sessionId, 'one');
    const second = await start({ processes: [{}], records: 'starts' });
    await second.request('initialize');
    const processes = await readAcpProcesses(directory);
    expect(processes.map(({ number, pid, prompts }) => [number, pid, prompts.length])).toEqual([
      [0, client.child.pid, 0],
      [1, second.child.pid, 0],
    ]);
    expect([await readInvocations(directory), await readVersionQueries(directory)]).toEqual([[], []]);
  });
});

describe('a scenario', () => {
  it('gives each process and each prompt steps of its own, the last ones for all that follow', async () => {
    const acp: FakeAcpScenario = {
      processes: [
        { prompts: [acpAnswer('first'), acpAnswer(['sec', 'ond'])] },
        { prompts: [acpAnswer('of another process')] },
      ],
    };
    const client = await start(acp);
    const sessionId = await newSession(client);
    for (const text of ['1', '2', '3']) {
      await prompt(client, sessionId, text);
    }
    expect(said(client, sessionId)).toEqual(['first', 'sec', 'ond', 'sec', 'ond']);
    const another = await start(acp);
    const session = await newSession(another);
    await prompt(another, session, '1');
    expect(said(another, session)).toEqual(['of another process']);
  });

  it('can be replaced under a process that runs', async () => {
    const client = await play({ prompts: [acpAnswer('before')] });
    const sessionId = await newSession(client);
    await prompt(client, sessionId, '1');
    await createFakeGeminiCli({ directory, acp: { processes: [{ prompts: [acpAnswer('afterwards'), []] }] } });
    await prompt(client, sessionId, '2');
    await prompt(client, sessionId, '3');
    expect(said(client, sessionId)).toEqual(['before', 'afterwards']);
  });

  it('chooses by the text', async () => {
    const steps = {
      do: 'by-text',
      cases: [{ contains: 'left', steps: acpAnswer('L') }],
      otherwise: acpAnswer('R'),
    } as const;
    const client = await play({ prompts: [[steps]] });
    const sessionId = await newSession(client);
    await prompt(client, sessionId, 'to the left');
    await prompt(client, sessionId, 'left', 'to the right');
    expect(said(client, sessionId)).toEqual(['L', 'R']);
  });

  it('lets the test choose the steps of a prompt when it has seen it', async () => {
    const client = await play({ prompts: [[{ do: 'given-steps' }]] });
    const sessionId = await newSession(client);
    const replies = [prompt(client, sessionId, 'the only question')];
    const [process] = await whenAcpRecorded(directory, ([first]) => first?.prompts.length === 1);
    const [asked] = process?.prompts ?? [];
    expect(asked).toMatchObject({ number: 0, parts: [{ text: 'the only question' }] });
    await giveAcpSteps(directory, { processNumber: 0, promptNumber: 0 }, acpAnswer('chosen'));
    await Promise.all(replies);
    expect(said(client, sessionId)).toEqual(['chosen']);
  });

  it('draws by chance, and the same for the same seed', async () => {
    const script: AcpProcessScript = {
      prompts: [
        [
          {
            do: 'by-chance',
            seed: 'a seed',
            chanceOfEach: 0.25,
            among: [acpAnswer('A'), acpAnswer('B')],
            otherwise: acpAnswer('-'),
          },
        ],
      ],
    };
    const draw = async (): Promise<string> => {
      const client = await play(script);
      const sessionId = await newSession(client);
      for (let count = 0; count < 40; count += 1) {
        await prompt(client, sessionId, 'x');
      }
      return said(client, sessionId).join('');
    };
    const first = await draw();
    expect(new Set(first)).toEqual(new Set(['A', 'B', '-']));
    const [process] = await readAcpProcesses(directory);
    expect(process?.drawn.map((index) => (index === null ? '-' : 'AB'[index])).join('')).toBe(first);
    await rm(directory, { recursive: true });
    expect(await draw()).toBe(first);
  });
});

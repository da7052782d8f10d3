import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonRecord, type JsonRecord } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AcpProcessScript, AcpStep } from './acp-scenario.ts';
import { acpEcho, acpFileRequest, acpLoginRequired, acpPermissionRequest, acpUnknownFlag } from './acp-scripts.ts';
import { createFakeGeminiCli } from './create-fake-gemini-cli.ts';
import { type RawAcpClient, startRawAcpClient } from './raw-acp-client.ts';
import { type AcpProcessRecord, readAcpProcesses, whenAcpRecorded } from './read-acp-processes.ts';
import { whenFileExists } from './when-invoked.ts';

let directory: string;
let clients: RawAcpClient[];

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'fake-acp-faults-')));
  clients = [];
});

afterEach(async () => {
  for (const { child, ended } of clients) {
    child.kill('SIGKILL');
    await ended;
  }
  await rm(directory, { recursive: true });
});

async function play(script: AcpProcessScript): Promise<RawAcpClient> {
  const path = await createFakeGeminiCli({ directory, acp: { processes: [script] } });
  const client = startRawAcpClient(path, { PATH: '/usr/bin:/bin' });
  clients.push(client);
  return client;
}

function openSession(client: RawAcpClient): Promise<JsonRecord> {
  return client.request('session/new', { cwd: directory, mcpServers: [] });
}

async function newSession(client: RawAcpClient): Promise<string> {
  const { result } = await openSession(client);
  return String(isJsonRecord(result) ? result['sessionId'] : 'none');
}

/** Starts a process whose first prompt plays these steps, and sends that prompt. */
async function prompted(steps: readonly AcpStep[]) {
  const client = await play({ prompts: [steps, [{ do: 'echo' }]] });
  const sessionId = await newSession(client);
  const prompt = (text = 'the question'): Promise<JsonRecord> =>
    client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  return { client, sessionId, prompt, reply: prompt() };
}

function isReply({ id, method }: JsonRecord): boolean {
  return id !== undefined && method === undefined;
}

function messages(client: RawAcpClient): readonly JsonRecord[] {
  return client
    .lines()
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
    .filter(isJsonRecord);
}

function updateOf(text: string): JsonRecord {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
}

async function firstProcess(): Promise<AcpProcessRecord | undefined> {
  return (await readAcpProcesses(directory))[0];
}

describe('answers', () => {
  it('are an error of any code', async () => {
    const { reply } = await prompted([{ do: 'error', code: 429, message: 'Quota', data: { of: 'day' } }]);
    expect((await reply)['error']).toEqual({ code: 429, message: 'Quota', data: { of: 'day' } });
  });

  it('are empty, or of any other result', async () => {
    const empty = await prompted([]);
    expect(await empty.reply).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(empty.client.lines().filter((line) => line.includes('agent_message_chunk'))).toEqual([]);
    const full = await prompted([{ do: 'answer', result: { stopReason: 'max_tokens' } }]);
    expect(await full.reply).toMatchObject({ result: { stopReason: 'max_tokens', _meta: {} } });
  });

  it('come late, in pieces', async () => {
    const { client, reply } = await prompted([
      { do: 'wait', durationMs: 1 },
      { do: 'say', chunks: ['a', 'b'], intervalMs: 1 },
    ]);
    await reply;
    const chunks = client.lines().filter((line) => line.includes('agent_message_chunk'));
    expect(chunks.map((line) => /"text":"(.)"/.exec(line)?.[1])).toEqual(['a', 'b']);
  });

  it('come twice to one id, or to an unknown id', async () => {
    const { client, prompt, reply } = await prompted([
      { do: 'answer' },
      { do: 'answer' },
      { do: 'send', message: { id: 'unknown', result: {} } },
    ]);
    const { id } = await reply;
    await prompt();
    const ids = messages(client)
      .filter(isReply)
      .map((message) => message['id']);
    expect(ids.filter((other) => other === id)).toHaveLength(2);
    expect(ids).toContain('unknown');
  });

  it('ask for a login instead of a session', async () => {
    const client = await play(acpLoginRequired());
    expect((await openSession(client))['error']).toMatchObject({ code: -32000 });
  });
});

describe('silence', () => {
  it.each(['initialize', 'newSessions'] as const)('in %s', async (occasion) => {
    const steps: readonly AcpStep[] = [{ do: 'touch', file: 'reached' }, { do: 'hang' }];
    const client = await play(occasion === 'initialize' ? { initialize: steps } : { newSessions: [steps] });
    void client.request('initialize');
    void openSession(client);
    await whenFileExists(directory, 'reached');
    await client.request('_ping');
    expect(messages(client).filter(isReply)).toHaveLength(2);
  });

  it('does not end by a cancel that is ignored', async () => {
    const { client, sessionId, reply } = await prompted([
      { do: 'ignore-cancel' },
      { do: 'touch', file: 'reached' },
      { do: 'await-file', file: 'go' },
    ]);
    await whenFileExists(directory, 'reached');
    client.notify('session/cancel', { sessionId });
    await whenAcpRecorded(directory, ([process]) => process?.cancels.length === 1);
    await writeFile(join(directory, 'go'), '');
    expect(await reply).toMatchObject({ result: { stopReason: 'end_turn' } });
  });

  it('leaves stdin unread, its end included', async () => {
    const { client, prompt, reply } = await prompted([
      { do: 'stop-reading' },
      { do: 'answer' },
      { do: 'wait', durationMs: 50 },
      { do: 'exit', code: 5 },
    ]);
    await reply;
    void prompt();
    client.child.stdin.end();
    expect(await client.ended).toMatchObject({ exitCode: 5 });
    expect(await firstProcess()).toMatchObject({ prompts: [{ turn: 0 }], sawInputEnd: false });
  });

  it('keeps its event loop busy, so that no signal is seen meanwhile', async () => {
    const { client } = await prompted([
      { do: 'touch', file: 'busy' },
      { do: 'block', durationMs: 200 },
      { do: 'exit', code: 4 },
    ]);
    await whenFileExists(directory, 'busy');
    client.child.kill('SIGTERM');
    expect(await client.ended).toMatchObject({ exitCode: 4, signal: null });
  });

  it('stays when its input has ended, and when it is asked to end', async () => {
    const client = await play({
      start: [{ do: 'ignore-signals' }],
      inputEnd: [
        { do: 'touch', file: 'ended' },
        { do: 'await-file', file: 'go' },
        { do: 'exit', code: 7 },
      ],
    });
    client.child.stdin.end();
    await whenFileExists(directory, 'ended');
    client.child.kill('SIGTERM');
    await writeFile(join(directory, 'go'), '');
    expect(await client.ended).toMatchObject({ exitCode: 7, signal: null });
  });
});

describe('crashes', () => {
  const killed: AcpStep = { do: 'kill-self', signal: 'SIGKILL' };

  it('at the start, and where --acp is not known', async () => {
    const crashed = await play({ start: [{ do: 'exit', code: 3 }] });
    expect(await crashed.ended).toMatchObject({ exitCode: 3 });
    const old = await play(acpUnknownFlag());
    expect(await old.ended).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Unknown argument: acp') });
  });

  it('before the first chunk and in the middle of an answer', async () => {
    const before = await prompted([killed]);
    expect(await before.client.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(before.client.lines().join()).not.toContain('agent_message_chunk');
    const middle = await prompted([{ do: 'say', chunks: ['half'] }, killed]);
    expect(await middle.client.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(middle.client.lines().join()).toContain('half');
  });

  it('after an answer, while it is idle', async () => {
    const { client, reply } = await prompted([{ do: 'echo' }, { do: 'answer' }, { do: 'exit', code: 9 }]);
    expect(await reply).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(await client.ended).toMatchObject({ exitCode: 9 });
  });

  it('after some sessions', async () => {
    const client = await play({ newSessions: [[], [{ do: 'answer' }, { do: 'exit', code: 9 }]] });
    expect(await newSession(client)).not.toBe(await newSession(client));
    expect(await client.ended).toMatchObject({ exitCode: 9 });
  });
});

describe('noise', () => {
  it('is broken JSON, garbage or a line without end', async () => {
    const { client, reply } = await prompted([
      { do: 'write', to: 'stdout', text: '{"jsonrpc":\n' },
      { do: 'flood', to: 'stdout', bytes: 100_000, pattern: 'garbage\n' },
      { do: 'echo' },
      { do: 'answer' },
      { do: 'flood', to: 'stdout', bytes: 2_000_000, pattern: 'x' },
      { do: 'exit', code: 0 },
    ]);
    expect(await reply).toMatchObject({ result: { stopReason: 'end_turn' } });
    await client.ended;
    expect(client.lines()).toContain('{"jsonrpc":');
    expect(client.lines().filter((line) => line === 'garbage')).toHaveLength(12_500);
    expect(client.lines().at(-1)).toHaveLength(2_000_000);
  });

  it('is a flood of updates, for this session or for another', async () => {
    const { client, sessionId, reply } = await prompted([
      { do: 'update', update: updateOf('more'), times: 1000 },
      { do: 'update', update: updateOf('not yours'), sessionId: 'another' },
    ]);
    await reply;
    const params = messages(client).map((message) => message['params']);
    expect(params.filter((value) => isJsonRecord(value) && value['sessionId'] === 'another')).toHaveLength(1);
    const own = { sessionId, update: updateOf('more') };
    expect(params.filter((value) => JSON.stringify(value) === JSON.stringify(own))).toHaveLength(1000);
  });
});

describe('questions', () => {
  it('wait for what the client says, and record it', async () => {
    const { client, sessionId, reply } = await prompted([
      acpPermissionRequest('rm -rf .'),
      acpFileRequest('/etc/passwd'),
      { do: 'echo' },
    ]);
    const permission = await client.whenMessage(({ method }) => method === 'session/request_permission');
    expect(permission['params']).toMatchObject({ sessionId, toolCall: { title: 'rm -rf .' } });
    client.reply(permission['id'], { outcome: { outcome: 'cancelled' } });
    const file = await client.whenMessage(({ method }) => method === 'fs/read_text_file');
    expect(file['params']).toEqual({ sessionId, path: '/etc/passwd' });
    client.reply(file['id'], { content: 'root' });
    await reply;
    expect(client.lines().join()).toContain(acpEcho('the question'));
    expect((await firstProcess())?.asked).toEqual([
      { method: 'session/request_permission', reply: { result: { outcome: { outcome: 'cancelled' } } } },
      { method: 'fs/read_text_file', reply: { result: { content: 'root' } } },
    ]);
  });

  it('are given up when the prompt is cancelled', async () => {
    const { client, sessionId, reply } = await prompted([acpPermissionRequest('ls')]);
    await client.whenMessage(({ method }) => method === 'session/request_permission');
    client.notify('session/cancel', { sessionId });
    expect((await reply)['result']).toEqual({ stopReason: 'cancelled' });
  });
});

describe('what it holds', () => {
  it.skipIf(process.platform !== 'linux')('is more memory for each session, and resident', async () => {
    const client = await play({ newSessions: [[], [{ do: 'grow', bytes: 32 * 2 ** 20 }]] });
    const residentKilobytes = (): number =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${client.child.pid}/status`, 'utf8'))?.[1]);
    await openSession(client);
    const before = residentKilobytes();
    await openSession(client);
    await openSession(client);
    expect(residentKilobytes() - before).toBeGreaterThan(60 * 1024);
  });

  it('is a child that outlives it', async () => {
    const { client } = await prompted([
      { do: 'spawn', isDetached: true },
      { do: 'exit', code: 0 },
    ]);
    await client.ended;
    const pids = (await firstProcess())?.childPids ?? [];
    expect(pids).toHaveLength(1);
    expect(pids.map((pid) => process.kill(pid, 'SIGKILL'))).toEqual([true]);
  });
});

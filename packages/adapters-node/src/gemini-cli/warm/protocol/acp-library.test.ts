import { PassThrough, Readable, Writable } from 'node:stream';
import { agent, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { AcpConnection, type AcpFault } from './acp-connection.ts';
import { type AcpUpdate, parseAcpAgent, parseAcpPromptEnd, parseAcpSession } from './acp-messages.ts';

type Setup = {
  readonly connection: AcpConnection;
  readonly updates: AcpUpdate[];
  readonly faults: AcpFault[];
  /** What the agent got: texts of prompts, outcomes of permissions, refusals. */
  readonly heard: unknown[];
};

const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) {
    end();
  }
});

const options = [{ optionId: 'proceed_always', kind: 'allow_always' as const, name: 'Always' }];
const toolCall = { toolCallId: 'run_shell_command__1', title: 'rm -rf /' };

/** An agent made of the protocol's own library, which answers a prompt with its length, word by word. */
function connectToAgent(): Setup {
  const heard: unknown[] = [];
  const cancelled = new Map<string, () => void>();
  const app = agent()
    .onRequest('initialize', () => ({
      protocolVersion: 1,
      agentInfo: { name: 'reference', version: '2.4.0' },
      agentCapabilities: { loadSession: true },
    }))
    .onRequest('session/new', () => ({ sessionId: 'session-1' }))
    .onNotification('session/cancel', ({ params: { sessionId } }) => cancelled.get(sessionId)?.())
    .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client }) => {
      const text = prompt.map((part) => (part.type === 'text' ? part.text : '')).join('');
      heard.push(text);
      switch (text) {
        case 'fail':
          throw new RequestError(429, 'You have exhausted your daily quota on this model.');
        case 'wait':
          await new Promise<void>((resolve) => {
            cancelled.set(sessionId, resolve);
          });
          return { stopReason: 'cancelled' };
        case 'ask':
          heard.push(await client.request('session/request_permission', { sessionId, options, toolCall }));
          heard.push(
            await client
              .request('fs/read_text_file', { sessionId, path: '/etc/hosts' })
              .catch((error: unknown) => error),
          );
          break;
      }
      for (const word of ['It', ' has ', String(text.length)]) {
        const content = { type: 'text', text: word } as const;
        await client.notify('session/update', { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } });
      }
      return { stopReason: 'end_turn' };
    });
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const input: ReadableStream<Uint8Array> = Readable.toWeb(stdin);
  const served = app.connect(ndJsonStream(Writable.toWeb(stdout), input));
  const updates: AcpUpdate[] = [];
  const faults: AcpFault[] = [];
  const connection = new AcpConnection({
    stdin,
    onUpdate: (_sessionId, update) => updates.push(update),
    onFault: (fault) => faults.push(fault),
  });
  stdout.on('data', (chunk: Buffer) => connection.receive(chunk));
  ends.push(() => {
    connection.close();
    served.close();
  });
  return { connection, updates, faults, heard };
}

async function connectWithSession(): Promise<Setup> {
  const setup = connectToAgent();
  await setup.connection.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  await setup.connection.request('session/new', { cwd: '/', mcpServers: [] });
  return setup;
}

function prompt({ connection }: Setup, text: string) {
  return connection.request('session/prompt', { sessionId: 'session-1', prompt: [{ type: 'text', text }] });
}

describe("AcpConnection with the protocol's own library", () => {
  it('shakes hands and opens a session', async () => {
    const { connection } = connectToAgent();
    const agentReply = await connection.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const sessionReply = await connection.request('session/new', { cwd: '/', mcpServers: [] });
    expect(agentReply.ok && parseAcpAgent(agentReply.result)).toEqual({ canLoadSessions: true });
    expect(sessionReply.ok && parseAcpSession(sessionReply.result)).toEqual({ sessionId: 'session-1' });
  });

  it('streams an answer', async () => {
    const setup = await connectWithSession();
    const reply = await prompt(setup, 'Hello');
    expect(reply.ok && parseAcpPromptEnd(reply.result)).toEqual({ stopReason: 'end_turn', models: [] });
    expect(setup.updates).toEqual(['It', ' has ', '5'].map((text) => ({ kind: 'agent-message', text })));
  });

  it('delivers megabytes as they are', async () => {
    const setup = await connectWithSession();
    const text = '@file "x"\n\u2028\0\\ é 😀 '.repeat(200_000);
    expect(await prompt(setup, text)).toMatchObject({ ok: true });
    expect(setup.heard[0] === text).toBe(true);
  });

  it('cancels', async () => {
    const setup = await connectWithSession();
    const reply = prompt(setup, 'wait');
    setup.connection.notify('session/cancel', { sessionId: 'session-1' });
    expect(await reply).toMatchObject({ ok: true, result: { stopReason: 'cancelled' } });
  });

  it('hands on the errors of the agent', async () => {
    expect(await prompt(await connectWithSession(), 'fail')).toEqual({
      ok: false,
      closed: false,
      code: 429,
      message: 'You have exhausted your daily quota on this model.',
    });
  });

  it('gets an error for a method that the agent does not know', async () => {
    const { connection } = await connectWithSession();
    expect(await connection.request('_gemini-mcp/ping', {})).toMatchObject({ ok: false, closed: false, code: -32601 });
  });

  it('refuses in a way that the library understands', async () => {
    const setup = await connectWithSession();
    expect(await prompt(setup, 'ask')).toMatchObject({ ok: true });
    expect(setup.heard).toMatchObject(['ask', { outcome: { outcome: 'cancelled' } }, { code: -32601 }]);
    expect(setup.faults.map((fault) => fault.kind)).toEqual(['asked', 'asked']);
  });
});

import { connect, type Socket } from 'node:net';
import { cliAnswer, limitProcess } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient } from './mcp-http-client.ts';

let setup: HttpSetup;
let sockets: Socket[];
let client: McpHttpClient | null;

beforeEach(async () => {
  setup = await HttpSetup.create();
  await setup.playCli(cliAnswer('Answered.'));
  sockets = [];
  client = null;
});

afterEach(async () => {
  client?.close();
  for (const socket of sockets) {
    socket.destroy();
  }
  await setup.dispose();
});

function clientOf(server: HttpServerProcess): McpHttpClient {
  client = new McpHttpClient({ origin: server.origin, token });
  return client;
}

/** Resolves when the server has accepted the connection, or closed it. */
function openIdle(server: HttpServerProcess): Promise<void> {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  sockets.push(socket);
  return new Promise((resolve) => {
    socket.on('error', () => resolve()).on('close', () => resolve());
    socket.on('connect', () => resolve());
  });
}

async function openMany(server: HttpServerProcess, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => openIdle(server)));
}

describe.skipIf(process.platform !== 'linux')('a built HTTP server with few file descriptors', () => {
  it('SYSTEM-01: idle connections without a token leave enough descriptors for calls', async () => {
    const server = await setup.start({}, [], ['prlimit', '--nofile=256:256']);
    const caller = clientOf(server);
    // Opened before them: other tests show whether strangers can block connections.
    expect(await caller.call('geminiChat', { prompt: 'Hi' })).toMatchObject({ isError: false });
    await openMany(server, 400);
    for (let call = 0; call < 3; call += 1) {
      expect(await caller.call('geminiChat', { prompt: 'Hi' })).toMatchObject({
        isError: false,
        text: expect.stringContaining('Answered.'),
      });
    }
    expect(server.stderr).toContain('"event":"connections-limited"');
    expect(await setup.lastingLeftovers()).toEqual([]);
  });

  it('SYSTEM-01: without a free descriptor a REST call fails with 503 and a message, and the next one succeeds', async () => {
    const server = await setup.start();
    const caller = clientOf(server);
    const call = () => caller.send({ path: '/api/gemini-chat', body: { prompt: 'Hi' } });
    expect((await call()).status).toBe(200);
    await limitProcess(server.pid, 'nofile', 1);
    const failed = await call();
    expect(failed.status).toBe(503);
    expect(failed.text).toContain('"code":"resources-exhausted"');
    expect(failed.text).toContain('This program has no free file descriptors (EMFILE). Raise its limit');
    await limitProcess(server.pid, 'nofile', 1_024);
    expect((await call()).status).toBe(200);
    expect(await setup.lastingLeftovers()).toEqual([]);
  });

  it('SYSTEM-03: failed accepts do not flood the log, and open connections are served', async () => {
    const server = await setup.start();
    const caller = clientOf(server);
    expect(await caller.call('geminiChat', { prompt: 'Hi' })).toMatchObject({ isError: false });
    await limitProcess(server.pid, 'nofile', 1);
    await openMany(server, 50);
    // An answer shows that the server has dropped the connections.
    expect(await caller.request('tools/list')).toHaveProperty('result.tools');
    const complaints = server.stderr.split('\n').filter((line) => line.includes('"http-server-failed"'));
    expect(complaints.length).toBeLessThanOrEqual(2);
    await limitProcess(server.pid, 'nofile', 1_024);
    expect(await clientOf(server).request('tools/list')).toHaveProperty('result.tools');
  });
});

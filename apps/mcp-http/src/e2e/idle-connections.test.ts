import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { cliAnswer } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient } from './mcp-http-client.ts';
import { readMetric } from './read-metric.ts';

const wholeRequest = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

let setup: HttpSetup;
let server: HttpServerProcess;
let sockets: Set<Socket>;
let clients: McpHttpClient[];

beforeEach(async () => {
  setup = await HttpSetup.create();
  await setup.playCli(cliAnswer('Answered.'));
  server = await setup.start();
  sockets = new Set();
  clients = [];
});

afterEach(async () => {
  for (const socket of sockets) {
    socket.destroy();
  }
  for (const client of clients) {
    client.close();
  }
  await setup.dispose();
});

function newClient(): McpHttpClient {
  const client = new McpHttpClient({ origin: server.origin, token });
  clients.push(client);
  return client;
}

/** Resolves when the connection is open and the bytes are sent. */
async function openStranger(localAddress: string, bytes: string): Promise<void> {
  const { port } = new URL(server.origin);
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  sockets.add(socket);
  socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  await once(socket, 'connect').catch(() => undefined);
  if (bytes !== '' && !socket.destroyed) {
    socket.write(bytes);
  }
}

/** `from` turns a number into a local address. */
async function openStrangers(count: number, from: (index: number) => string, beginning: string): Promise<void> {
  for (let opened = 0; opened < count; opened += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, index) => openStranger(from(opened + index), beginning)));
  }
}

const ofOneAddress = (): string => '127.0.0.1';
const ofManyAddresses = (index: number): string => `127.9.${index % 50}.${1 + (index % 200)}`;

describe.skipIf(process.platform !== 'linux')('ACCESS-01: connections of strangers', () => {
  it.each([
    [5_000, 'say nothing', '', 'one address', ofOneAddress],
    [2_000, 'say nothing', '', '200 addresses', ofManyAddresses],
    [1_500, 'send half a head', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthoriz', 'one address', ofOneAddress],
    [1_500, 'send garbage after a request', `${wholeRequest}\x00\xffgarbage`, '200 addresses', ofManyAddresses],
  ] as const)(
    '%i that %s (%j), from %s, do not block valid clients',
    async (count, _name, beginning, _addresses, from) => {
      const flood = openStrangers(count, from, beginning);
      const answers: number[] = [];
      // Each call uses its own connection, which strangers could block.
      for (let call = 0; call < 20; call += 1) {
        const client = newClient();
        answers.push((await client.send({ body: { jsonrpc: '2.0', id: call, method: 'tools/list' } })).status);
        client.close();
      }
      await flood;
      const caller = newClient();
      expect(await caller.call('geminiChat', { prompt: 'Hi' })).toMatchObject({ isError: false });
      expect(answers).toEqual(Array.from({ length: 20 }, () => 200));
      expect(await readMetric(server, 'gemini_mcp_process_open_fds')).toBeLessThan(1_200);
    },
  );

  it('never close a connection during a call with a valid token', async () => {
    await setup.playCli([{ do: 'hang' }]);
    const hanging = new AbortController();
    const caller = newClient();
    const params = { name: 'geminiChat', arguments: { prompt: 'Hi' } };
    const begun = new Promise<void>((resolve) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      void caller.send({ body, signal: hanging.signal, onBegin: resolve }).catch(() => undefined);
    });
    await begun;
    await openStrangers(2_000, ofOneAddress, '');
    expect(await readMetric(server, 'gemini_mcp_http_streams')).toBe(1);
    hanging.abort();
  });
});

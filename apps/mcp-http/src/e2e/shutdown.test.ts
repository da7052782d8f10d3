import { connect } from 'node:net';
import { cliOpening, whenInvoked } from '@gemini-mcp/fake-gemini';
import { hang } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient, type SendOptions } from './mcp-http-client.ts';

/** How a request ended for its sender: `cut` if the response is incomplete. */
type Ending = { readonly of: string; readonly status: number | 'cut'; readonly text: string };

const events = { Accept: 'text/event-stream' };

/** The response to an MCP client whose call was cancelled by shutdown. */
const givenUp = /"error":\{"code":-32000,"message":"The server closed the connection/;

let setup: HttpSetup;
let clients: McpHttpClient[];

beforeEach(() => {
  clients = [];
});

afterEach(async () => {
  for (const client of clients) {
    client.close();
  }
  await setup.dispose();
});

function clientOf({ origin }: HttpServerProcess): McpHttpClient {
  const client = new McpHttpClient({ origin, token });
  clients.push(client);
  return client;
}

function send(client: McpHttpClient, of: string, options: SendOptions): Promise<Ending> {
  return client.send(options).then(
    ({ status, text: said }) => ({ of, status, text: said }),
    (error: unknown) => ({ of, status: 'cut', text: String(error) }),
  );
}

function query(id: number): SendOptions {
  const params = { name: 'gemini_query', arguments: { prompt: 'Hi' } };
  return { body: { jsonrpc: '2.0', id, method: 'tools/call', params } };
}

/** Resolves when the stream has begun, to its end. */
async function openStream(
  client: McpHttpClient,
  of: string,
  path: string,
): Promise<{ readonly ended: Promise<Ending> }> {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = send(client, of, { method: 'GET', path, headers: events, onBegin: begin });
  await begun;
  return { ended };
}

async function untilQueued(client: McpHttpClient, count: number): Promise<void> {
  const read = (): Promise<string> => client.send({ method: 'GET', path: '/metrics' }).then(({ text: said }) => said);
  while (!(await read()).includes(`gemini_mcp_queue_waiting ${count}\n`)) {
    // The server reports it on request.
  }
}

/** Resolves when nothing accepts connections there any more: shutdown has begun. */
async function untilClosed({ origin }: HttpServerProcess): Promise<void> {
  const { port, hostname } = new URL(origin);
  const isOpen = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  while (await isOpen()) {
    // Each try takes a turn of the network; there is no other signal.
  }
}

/** Sends the signal, and resolves to the exit of the server. */
function end(server: HttpServerProcess, signal: NodeJS.Signals = 'SIGTERM'): HttpServerProcess['ended'] {
  server.kill(signal);
  return server.ended;
}

describe('the end of the built HTTP server', () => {
  it('SIGTERM under load ends with exit code 0, leaves nothing running, and answers every client', async () => {
    setup = await HttpSetup.create('warm');
    setup.api.reply(hang());
    const environment = { GEMINI_MCP_MAX_RUNNING: '2' };
    const server = await setup.start(environment, ['--stateful']);
    const client = clientOf(server);
    await client.initialize();
    const chat = { path: '/api/gemini-chat', body: { prompt: 'Hi' } };
    const calls = [
      ...[1, 2, 3, 4].map((id) => send(client, `query ${id}`, query(id))),
      send(client, 'REST', chat),
      send(client, 'REST with events', { ...chat, headers: events }),
    ];
    const stream = await openStream(client, 'stream of the session', '/mcp');
    await setup.api.whenRequested(2);
    await untilQueued(client, 4);
    expect(await end(server)).toEqual({ exitCode: 0, signal: null });
    expect(await setup.leftovers()).toEqual([]);
    expect(setup.cliProcesses()).toEqual([]);
    const ended = await Promise.all([...calls, stream.ended]);
    expect(ended.filter(({ status }) => status === 'cut')).toEqual([]);
    const ofMcp = ended.filter(({ of }) => of.startsWith('query'));
    expect(ofMcp).toHaveLength(4);
    expect(ofMcp.filter(({ text: said }) => !givenUp.test(said))).toEqual([]);
    const ofRest = ended.filter(({ of }) => of.startsWith('REST'));
    expect(ofRest.filter(({ text: said }) => !said.includes('"code":"cancelled"'))).toEqual([]);
    expect(server.stderr).toContain('"event":"calls-cancelled","reason":"grace-over"');
  });

  it('a CLI that ignores signals ends with it', async () => {
    setup = await HttpSetup.create();
    await setup.playCli([{ do: 'ignore-signals' }, ...cliOpening(), { do: 'hang' }]);
    const server = await setup.start();
    const client = clientOf(server);
    const calls = [1, 2, 3, 4, 5, 6].map((id) => send(client, `query ${id}`, query(id)));
    await whenInvoked(setup.cliDirectory, 4);
    expect(await end(server)).toEqual({ exitCode: 0, signal: null });
    expect(await setup.leftovers()).toEqual([]);
    const ended = await Promise.all(calls);
    expect(ended.filter(({ status, text: said }) => status === 'cut' || !givenUp.test(said))).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s without any call ends it at once', async (signal) => {
    setup = await HttpSetup.create('api');
    const server = await setup.start({ GEMINI_MCP_HTTP_SHUTDOWN_SECONDS: '60' });
    const stream = clientOf(server);
    await stream.request('tools/list');
    expect(await end(server, signal)).toEqual({ exitCode: 0, signal: null });
    expect(server.stderr).toContain('"event":"stopped","clean":true');
  });

  it('a second signal hurries', async () => {
    setup = await HttpSetup.create('api');
    setup.api.reply(hang());
    const server = await setup.start({ GEMINI_MCP_HTTP_SHUTDOWN_SECONDS: '60' });
    const call = send(clientOf(server), 'query', query(1));
    await setup.api.whenRequested(1);
    server.kill('SIGTERM');
    await untilClosed(server);
    expect(await end(server)).toEqual({ exitCode: 0, signal: null });
    expect((await call).text).toMatch(givenUp);
    expect(server.stderr).toContain('"event":"calls-cancelled","reason":"hurried"');
    expect(await setup.leftovers()).toEqual([]);
  });
});

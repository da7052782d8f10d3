import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer as createProxy } from 'node:http';
import { createServer as createApi } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { trustedCertificate } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const password = 'word-of-the-proxy';
const answer = { candidates: [{ content: { parts: [{ text: 'Through.' }] }, finishReason: 'STOP' }] };

let setup: ServerSetup;
let servers: readonly Server[];
/** Where the proxy was asked to go, and the sockets of who asked it. */
let tunnels: { readonly target: string; readonly client: Socket }[];
let opensTunnels: boolean;
let variables: Readonly<Record<string, string>>;
let apiHost: string;

beforeEach(async () => {
  setup = await ServerSetup.create();
  tunnels = [];
  opensTunnels = true;
  const api = createApi({ ...trustedCertificate }, (request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(answer)}\r\n\r\n`);
    });
  });
  const proxy = createProxy().on('connect', ({ url = '' }, socket) => {
    const client = socket as Socket;
    tunnels.push({ target: url, client });
    client.on('error', () => undefined).on('end', () => client.destroy());
    if (opensTunnels) {
      openTunnel(client, Number(new URL(`https://${url}`).port));
    } else {
      client.resume();
    }
  });
  servers = [api, proxy];
  for (const server of servers) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  apiHost = hostOf(api);
  const authorities = join(setup.root, 'authorities.pem');
  await writeFile(authorities, trustedCertificate.cert);
  variables = {
    GOOGLE_GEMINI_BASE_URL: `https://${apiHost}`,
    NODE_EXTRA_CA_CERTS: authorities,
    HTTPS_PROXY: `http://ada:${password}@${hostOf(proxy)}`,
    GEMINI_MCP_LOG_LEVEL: 'trace',
  };
});

afterEach(async () => {
  await setup.dispose();
  for (const server of servers) {
    server.close();
  }
});

function hostOf(server: Server): string {
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function openTunnel(client: Socket, port: number): void {
  const target = connect(port, '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    client.pipe(target).pipe(client);
  });
  target.on('error', () => client.destroy());
  client.on('close', () => target.destroy());
}

function start(more: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  return setup.startWithoutCli({ ...variables, ...more });
}

it('a call goes through the proxy of the environment, whose password is in no answer and no log', async () => {
  const server = await start();
  const { isError, text } = await server.query({ prompt: 'Why?', model: 'gemini-3.8-flash' });
  expect({ isError, text }).toMatchObject({ isError: false, text: expect.stringMatching(/^Through\./) });
  expect(tunnels.map(({ target }) => target)).toEqual([apiHost]);
  const said = `${text}${server.stderr}`;
  expect(said).toContain('run-started');
  expect(said).not.toContain(password);
  expect(said).not.toContain(Buffer.from(`ada:${password}`).toString('base64'));
  expect(await readFile(`/proc/${server.pid}/cmdline`, 'utf8')).not.toContain(password);
});

it('a cancelled call closes its connection to a proxy that does not answer', async () => {
  opensTunnels = false;
  const server = await start();
  const [, proxy] = servers;
  const asked = proxy === undefined ? Promise.resolve() : once(proxy, 'connect');
  const { id } = server.startCall('gemini_query', { prompt: 'Why?', model: 'gemini-3.8-flash' });
  await asked;
  const [tunnel] = tunnels;
  const closed = new Promise((resolve) => tunnel?.client.once('close', resolve));
  server.cancel(id);
  await closed;
  expect(tunnels).toHaveLength(1);
});

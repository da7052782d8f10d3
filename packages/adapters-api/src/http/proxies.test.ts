import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { RunEvent } from '@gemini-mcp/core';
import { startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, collect } from '../testing/ask.ts';
import { RunnerPlace } from '../testing/runner-place.ts';
import type { Proxies } from './proxies.ts';

type Tunnel = { readonly target: string; readonly login: string | undefined };
type Asked = { readonly events: readonly RunEvent[]; readonly tunnels: readonly Tunnel[] };
type Answer = (socket: Socket, request: IncomingMessage) => void;

const place = new RunnerPlace();
const variables = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];
const before = Object.fromEntries(variables.map((name) => [name, process.env[name]]));

afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) {
      delete process.env[name];
    } else {
      process.env[name] = value;
    }
  }
});

/** Sends a request to an offline API next to a proxy on a loopback port. `port` in `chosen` is the API's. */
async function askThrough(
  choose: (proxyHost: string, port: string) => Partial<Proxies>,
  answer: Answer = openTunnel,
): Promise<Asked> {
  const api = await startOfflineGeminiApi({ reply: text('Yes') });
  const tunnels: Tunnel[] = [];
  const server = createServer().on('connect', (request, socket) => {
    tunnels.push({ target: request.url ?? '', login: request.headers['proxy-authorization'] });
    answer(socket as Socket, request);
  });
  const proxy = await place.listen(server);
  const proxies = { http: null, https: null, except: null, ...choose(proxy.host, new URL(api.url).port) };
  try {
    return { events: await collect(ask(place.runnerAt(api.url, { proxies }))), tunnels };
  } finally {
    await api.close();
  }
}

function openTunnel(client: Socket, { url }: IncomingMessage): void {
  const target = connect(Number(new URL(`http://${url}`).port), '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    client.pipe(target).pipe(client);
  });
  client.on('error', () => target.destroy());
  target.on('error', () => client.destroy());
}

const yes = { type: 'text', text: 'Yes' };

describe('ApiGeminiRunner and proxies', () => {
  it('goes through the proxy for the scheme of the address', async () => {
    const { events, tunnels } = await askThrough((host) => ({ http: `http://${host}` }));
    expect(tunnels).toEqual([{ target: expect.stringMatching(/^127\.0\.0\.1:\d+$/), login: undefined }]);
    expect(events).toContainEqual(yes);
  });

  it.each([
    ['its host', () => '127.0.0.1'],
    ['its host with its port', (port: string) => `127.0.0.1:${port}`],
    ['what its host ends in', () => 'example.com, .0.0.1'],
    ['the same with an asterisk', () => '*.0.0.1'],
    ['everything', () => '*'],
    ['everything among others', () => 'example.com, *'],
  ])('bypasses it if %s is excepted', async (_, except) => {
    const { events, tunnels } = await askThrough((host, port) => ({ http: `http://${host}`, except: except(port) }));
    expect(tunnels).toEqual([]);
    expect(events).toContainEqual(yes);
  });

  it.each([
    ['its host with another port', '127.0.0.1:1'],
    ['another host', 'example.com'],
    ['a host that only ends like a part of it', '27.0.0.1'],
  ])('uses it if %s is excepted', async (_, except) => {
    const { tunnels } = await askThrough((host) => ({ http: `http://${host}`, except }));
    expect(tunnels).toHaveLength(1);
  });

  it('bypasses one for the other scheme', async () => {
    const { events, tunnels } = await askThrough((host) => ({ https: `http://${host}` }));
    expect(tunnels).toEqual([]);
    expect(events).toContainEqual(yes);
  });

  it('ignores the variables of the process', async () => {
    const { events, tunnels } = await askThrough((host) => {
      Object.assign(process.env, Object.fromEntries(variables.slice(0, 4).map((name) => [name, `http://${host}`])));
      return {};
    });
    expect(tunnels).toEqual([]);
    expect(events).toContainEqual(yes);
  });

  it('logs in at a proxy that has a name and a password in its address', async () => {
    const { events, tunnels } = await askThrough((host) => ({ http: `http://ada:p%40ss@${host}` }));
    expect(tunnels).toMatchObject([{ login: `Basic ${Buffer.from('ada:p@ss').toString('base64')}` }]);
    expect(events).toContainEqual(yes);
  });
});

describe('ApiGeminiRunner and proxies that do not let it through', () => {
  it.each<[string, Answer, string]>([
    ['asks for a login', (socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'), '407'],
    ['refuses', (socket) => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nNo! '), '403'],
    ['is missing', (socket) => socket.end('SSH-2.0-OpenSSH_9.2p1\r\n'), 'HTTP/1.1 protocol'],
    ['hangs up', (socket) => socket.destroy(), 'closed each time'],
    [
      'opens a tunnel to garbage',
      (socket) => socket.end('HTTP/1.1 200 Connection established\r\n\r\nSSH-2.0-OpenSSH_9.2p1\r\n'),
      'closed each time',
    ],
  ])('one that %s is a failure of the network, without its password', async (_, answer, said) => {
    const { events, tunnels } = await askThrough((host) => ({ http: `http://ada:secret-word@${host}` }), answer);
    expect(tunnels.length).toBeLessThanOrEqual(3);
    expect(events).toEqual([{ type: 'failure', failure: { kind: 'network', excerpt: expect.stringContaining(said) } }]);
    expect(JSON.stringify(events)).not.toContain('secret-word');
    expect(JSON.stringify(events)).not.toContain(Buffer.from('ada:secret-word').toString('base64'));
  });

  it.each([
    'ada:secret-word@proxy.example:3128',
    'http://ada:secret-word@',
    'http://ada:secret-word@proxy.example:port',
    'http://ada:secret-word%@proxy.example',
    'ftp://ada:secret-word@proxy.example',
  ])('rejects %s as the address of a proxy, without showing it', async (http) => {
    const runner = place.runnerAt('http://127.0.0.1:1', { proxies: { http, https: null, except: null } });
    const excerpt = 'The proxy for http addresses cannot be used: its address has to look like http://name:port.';
    expect(await collect(ask(runner))).toEqual([{ type: 'failure', failure: { kind: 'configuration', excerpt } }]);
    await runner.close();
  });
});

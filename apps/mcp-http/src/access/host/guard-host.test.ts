import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessOptions, knownToken } from '../testing/access-options.ts';
import { type AccessServer, startAccessServer } from '../testing/access-server.ts';
import { sendRequest } from '../testing/send-request.ts';

let server: AccessServer;

beforeAll(async () => {
  server = await startAccessServer(() => ({ ...accessOptions(), allowedHosts: ['gemini.example.com'] }));
});

afterAll(() => server.close());

const bearer = ['Authorization', `Bearer ${knownToken}`] as const;

async function statusFor(hosts: readonly string[], target = '/mcp'): Promise<number> {
  const headers = [...hosts.map((host) => ['Host', host] as const), bearer];
  const { status, body } = await sendRequest({ port: server.port, target, headers, body: '{}' });
  if (status === 403) {
    expect(JSON.parse(body)).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { data: { reason: 'host-not-allowed' } },
    });
  }
  return status;
}

describe('guardHost', () => {
  it('HTTP-05: allows only loopback and configured hosts, also with the right token', async () => {
    for (const host of ['[::1]:3000', 'localhost', 'GEMINI.example.com']) {
      expect(await statusFor([host])).toBe(200);
    }
    for (const hosts of [
      ['localhost.evil.com'],
      ['evil.com:80'],
      ['localhost', 'evil.com'],
      ['evil.com', 'localhost'],
    ]) {
      expect(await statusFor(hosts)).toBe(403);
    }
    expect(await statusFor(['localhost'], 'http://localhost/mcp')).toBe(403);
  });

  it.each(['1.0', '1.1'])('HTTP-05: refuses an HTTP/%s request without a host', async (version) => {
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET /mcp HTTP/${version}\r\nAuthorization: Bearer ${knownToken}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('answers before the body has arrived, without reading it', async () => {
    const before = server.bodiesRead();
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /mcp HTTP/1.1\r\nHost: evil.com\r\nContent-Length: 1000000\r\n\r\n{');
    const [head] = await once(socket, 'data');
    expect(String(head)).toMatch(/^HTTP\/1\.1 403 /);
    socket.destroy();
    expect(server.bodiesRead()).toBe(before);
  });

  it('checks the host before the token, and reveals nothing about the token', async () => {
    const { status, headers } = await sendRequest({ port: server.port, headers: [['Host', 'evil.com']] });
    expect(status).toBe(403);
    expect(headers).not.toHaveProperty('www-authenticate');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessOptions, knownToken } from '../testing/access-options.ts';
import { type AccessServer, startAccessServer } from '../testing/access-server.ts';
import { type Reply, sendRequest } from '../testing/send-request.ts';

const configured = 'https://app.example.com';

let server: AccessServer;

beforeAll(async () => {
  server = await startAccessServer(() => ({ ...accessOptions(), allowedOrigins: [configured] }));
});

afterAll(() => server.close());

const bearer = ['Authorization', `Bearer ${knownToken}`] as const;

function post(origin: string | null, token: boolean): Promise<Reply> {
  const headers = [
    ['Host', 'localhost:3000'] as const,
    ...(origin === null ? [] : [['Origin', origin] as const]),
    ...(token ? [bearer] : []),
  ];
  return sendRequest({ port: server.port, headers, body: '{}' });
}

function preflight(origin: string): Promise<Reply> {
  const headers = [
    ['Host', 'localhost:3000'],
    ['Origin', origin],
    ['Access-Control-Request-Method', 'POST'],
    ['Access-Control-Request-Headers', 'authorization,content-type,x-evil'],
  ] as const;
  return sendRequest({ port: server.port, method: 'OPTIONS', headers });
}

const words = (header: string | undefined): readonly string[] => (header ?? '').split(/, ?/);

describe('guardOrigin', () => {
  it.each(['https://evil.com', 'null', 'http://localhost.evil.com', 'http://127.0.0.1:9', 'http://localhost:9'])(
    'HTTP-04: refuses the origin %s, with or without the right token, with the same text',
    async (origin) => {
      const replies = [await post(origin, true), await post(origin, false)];
      for (const { status, headers, body } of replies) {
        expect(status).toBe(403);
        expect(JSON.parse(body)).toMatchObject({ error: { data: { reason: 'origin-not-allowed' } } });
        expect(headers).not.toHaveProperty('access-control-allow-origin');
        expect(headers).not.toHaveProperty('www-authenticate');
        expect(headers.vary).toBe('Origin');
      }
      expect(replies[0]?.body).toBe(replies[1]?.body);
    },
  );

  it("HTTP-04: allows requests without an origin, or from this server's own", async () => {
    for (const origin of [null, 'http://localhost:3000']) {
      const { status, headers } = await post(origin, true);
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers.vary).toBe('Origin');
    }
  });

  it('HTTP-06: answers a preflight from evil.com without CORS headers', async () => {
    const { status, headers } = await preflight('https://evil.com');
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('HTTP-06: answers a preflight from a configured origin without a token', async () => {
    const { status, headers, body } = await preflight(configured);
    expect({ status, body }).toEqual({ status: 204, body: '' });
    expect(headers['access-control-allow-origin']).toBe(configured);
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(words(headers['access-control-allow-methods'])).toEqual(['GET', 'POST', 'DELETE']);
    expect(words(headers['access-control-allow-headers'])).toEqual([
      'Authorization',
      'Content-Type',
      'Accept',
      'Mcp-Session-Id',
      'Mcp-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
      'Last-Event-ID',
      'X-Request-Id',
    ]);
    expect(words(headers.vary)).toContain('Origin');
  });

  it('lets pages of a configured origin read answers, refusals too', async () => {
    for (const { status, token } of [
      { status: 200, token: true },
      { status: 401, token: false },
    ]) {
      const reply = await post(configured, token);
      expect(reply.status).toBe(status);
      expect(reply.headers['access-control-allow-origin']).toBe(configured);
      expect(words(reply.headers['access-control-expose-headers'])).toEqual([
        'Mcp-Session-Id',
        'WWW-Authenticate',
        'X-Request-Id',
        'Retry-After',
      ]);
      expect(words(reply.headers.vary)).toContain('Origin');
    }
  });

  it('treats a preflight of its own page like any other request, which needs a token', async () => {
    expect((await preflight('http://localhost:3000')).status).toBe(401);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthVerifier } from './oauth/oauth-verifier.ts';
import { startTestVerifier } from './oauth/testing/test-verifier.ts';
import { verifierTerms } from './oauth/testing/verifier-terms.ts';
import { accessOptions, knownToken, type LoggedEvent } from './testing/access-options.ts';
import { type AccessServer, startAccessServer } from './testing/access-server.ts';
import { type Reply, sendRequest } from './testing/send-request.ts';

let server: AccessServer;

beforeAll(async () => {
  server = await startAccessServer(() => accessOptions());
});

afterAll(() => server.close());

function send(authorizations: readonly string[], { port = server.port, target = '/mcp' } = {}): Promise<Reply> {
  const headers = [['Host', 'localhost'] as const, ...authorizations.map((value) => ['Authorization', value] as const)];
  return sendRequest({ port, target, headers, body: '{}' });
}

const plainChallenge = 'Bearer realm="gemini-mcp-server"';
const invalidToken = `${plainChallenge}, error="invalid_token"`;

describe('authenticate', () => {
  it('lets the right token in, as its principal', async () => {
    const { status, body } = await send([`Bearer ${knownToken}`]);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ name: 'local' });
  });

  it('HTTP-02: asks for a token without an error if the request has no token', async () => {
    const { status, headers, body } = await send([]);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe(plainChallenge);
    expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { reason: 'token-missing' } } });
  });

  it.each([
    ['of the same length', [`Bearer ${'x'.repeat(knownToken.length)}`]],
    ['of another length', ['Bearer x']],
    ['that is a prefix of the right one', [`Bearer ${knownToken.slice(0, -1)}`]],
    ['that begins with the right one', [`Bearer ${knownToken}x`]],
    ['that is empty', ['Bearer']],
    ['that is longer than any', [`Bearer ${'x'.repeat(8_193)}`]],
    ['twice, the right one first', [`Bearer ${knownToken}`, 'Bearer x']],
    ['twice, both right', [`Bearer ${knownToken}`, `Bearer ${knownToken}`]],
  ])('HTTP-02: refuses a token %s', async (_, authorizations) => {
    const { status, headers } = await send(authorizations);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe(invalidToken);
  });

  it('HTTP-02: takes no token from a query, with Basic, or from a cookie', async () => {
    const basic = `Basic ${Buffer.from(`local:${knownToken}`).toString('base64')}`;
    const replies = [
      await send([], { target: `/mcp?access_token=${knownToken}` }),
      await send([basic]),
      await sendRequest({
        port: server.port,
        headers: [
          ['Host', 'localhost'],
          ['Cookie', `access_token=${knownToken}`],
        ],
      }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(replies.map(({ headers }) => headers['www-authenticate'])).toEqual([
      plainChallenge,
      plainChallenge,
      plainChallenge,
    ]);
  });

  it('HTTP-03: delays a flood of wrong tokens, logs few of them, and lets the right one in throughout', async () => {
    const lines: LoggedEvent[] = [];
    const flooded = await startAccessServer(() => accessOptions(lines));
    try {
      const statuses: number[] = [];
      const rightOnes: number[] = [];
      for (let batch = 0; batch < 20; batch += 1) {
        const wrong = Array.from({ length: 50 }, (_, index) => send([`Bearer wrong-${batch}-${index}`], flooded));
        const right = send([`Bearer ${knownToken}`], flooded);
        statuses.push(...(await Promise.all(wrong)).map(({ status }) => status));
        rightOnes.push((await right).status);
      }
      expect(statuses.filter((status) => status === 401)).toHaveLength(20);
      expect(statuses.filter((status) => status === 429)).toHaveLength(980);
      expect(new Set(rightOnes)).toEqual(new Set([200]));
      expect(lines).toEqual(
        [1, 10, 100, 1_000].map((failuresInMinute) => ({
          event: 'token-refused',
          fields: { address: '127.0.0.1', problem: 'invalid', failuresInMinute },
        })),
      );
    } finally {
      await flooded.close();
    }
  });

  it('HTTP-03: says how long to wait, and gives no challenge', async () => {
    const flooded = await startAccessServer(() => accessOptions());
    try {
      let reply = await send(['Bearer x'], flooded);
      for (let index = 0; index < 20; index += 1) {
        reply = await send(['Bearer x'], flooded);
      }
      expect(reply.status).toBe(429);
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
      expect(reply.headers).not.toHaveProperty('www-authenticate');
      expect(JSON.parse(reply.body)).toMatchObject({ error: { data: { reason: 'too-many-wrong-tokens' } } });
      // A sender without a token is asked for one, whatever others at the address guess.
      expect((await send([], flooded)).status).toBe(401);
    } finally {
      await flooded.close();
    }
  });

  it('answers 503 with Retry-After, not 401, if the issuer cannot be reached', async () => {
    const { issuer, good } = await startTestVerifier();
    const token = await issuer.sign(good);
    await issuer.close();
    const options = { issuer: issuer.issuer, audience: verifierTerms.audience, clock: verifierTerms.clock };
    const alone = await startAccessServer(() => ({ ...accessOptions(), oauth: new OAuthVerifier(options) }));
    const { status, headers, body } = await send([`Bearer ${token}`], alone);
    await alone.close();
    expect([status, headers['retry-after'], headers['www-authenticate']]).toEqual([503, '10', undefined]);
    expect(JSON.parse(body)).toMatchObject({ error: { data: { reason: 'issuer-unavailable' } } });
  });

  it('does not read the body before authentication', async () => {
    const before = server.bodiesRead();
    await send(['Bearer x']);
    await send([]);
    expect(server.bodiesRead()).toBe(before);
  });
});

import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpOddity, OddHttpServer } from '../testing/odd-http-server.ts';
import { callTool, type PlaceOptions, toolNames, UpstreamPlace } from '../testing/upstream-place.ts';
import type { UpstreamServer } from '../upstream-server.ts';

const never = new AbortController().signal;
let place: UpstreamPlace;
const servers: OddHttpServer[] = [];

beforeEach(async () => {
  place = new UpstreamPlace();
  await place.open();
});

afterEach(async () => {
  await place.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Served = { readonly server: OddHttpServer; readonly upstream: UpstreamServer };

async function serve(
  oddity: HttpOddity,
  type: 'http' | 'sse' | 'either' = 'http',
  options: PlaceOptions = {},
): Promise<Served> {
  const server = new OddHttpServer(oddity);
  servers.push(server);
  const headers = { 'x-key': 'its own', ...(oddity === 'requires a login' && { authorization: 'Bearer old' }) };
  return { server, upstream: place.server({ type, url: await server.listen(), headers }, options) };
}

describe('An upstream over HTTP', () => {
  it('lists and calls, with the headers of its configuration in each request', async () => {
    const { server, upstream } = await serve('none');
    expect(await callTool(upstream, 'echo', { n: 1 })).toBe('{"n":1} in s1');
    await upstream.connect(never);
    expect(await toolNames(upstream)).toEqual(['echo']);
    expect(server.headers.every((headers) => headers['x-key'] === 'its own')).toBe(true);
  });

  it('says goodbye to its session when it is closed', async () => {
    const { server, upstream } = await serve('none');
    await callTool(upstream, 'echo');
    await upstream.close();
    expect(server.count('DELETE')).toBe(1);
  });

  it.each<[HttpOddity, 'http' | 'sse']>([
    ['asks without end', 'http'],
    ['is an older one that asks without end', 'sse'],
  ])('UPSTREAM-M1: a server that %s (%s) is cut off, and gets few answers at a time', async (oddity, type) => {
    const { server, upstream } = await serve(oddity, type);
    expect(await callTool(upstream, 'echo')).toEqual({
      type: 'unavailable',
      detail: 'It sent more than 1000 requests unasked within a minute, so the connection was ended.',
      wasSent: true,
    });
    expect((await upstream.describe()).state).toMatchObject({ type: 'failed', failure: { kind: 'flooding' } });
    expect(server.openAnswers).toBeLessThanOrEqual(32);
    await expect.poll(() => server.closedByClient).toBeGreaterThan(0);
  });

  it('UPSTREAM-M2: a server that comments without end is cut off as well', async () => {
    const { server, upstream } = await serve('comments without end');
    expect(await callTool(upstream, 'echo')).toEqual({
      type: 'unavailable',
      detail: 'It sent more than 100000 events unasked within a minute, so the connection was ended.',
      wasSent: true,
    });
    expect((await upstream.describe()).state).toMatchObject({ type: 'failed', failure: { kind: 'flooding' } });
    await expect.poll(() => server.closedByClient).toBeGreaterThan(0);
  });

  it('a session that the server has forgotten is begun again, and the call made in the new one', async () => {
    const { server, upstream } = await serve('forgets sessions');
    expect(await callTool(upstream, 'echo', { n: 1 })).toBe('{"n":1} in s1');
    expect(await callTool(upstream, 'echo', { n: 2 })).toBe('{"n":2} in s2');
    expect(server.count('POST initialize')).toBe(2);
  });

  it('401 is a state that waits for the login, with what the server said, and asks no more before', async () => {
    const { server, upstream } = await serve('requires a login');
    const refused = {
      type: 'unavailable',
      detail: "Login required: gemini-mcp-server mcp login 'odd one'",
      wasSent: false,
    };
    expect(await callTool(upstream, 'echo')).toEqual(refused);
    expect((await upstream.describe()).state).toEqual({
      type: 'awaiting-login',
      challenge: 'Bearer resource_metadata="https://x/.well-known"',
    });
    const before = server.count('POST initialize');
    expect(await callTool(upstream, 'echo')).toEqual(refused);
    expect(server.count('POST initialize')).toBe(before);
    upstream.loggedIn();
    await callTool(upstream, 'echo');
    expect(server.count('POST initialize')).toBe(before + 1);
  });

  it.each<HttpOddity>(['answers without end', 'streams an event without end'])(
    '%s: the call fails, the stream is closed, and the next is answered',
    async (oddity) => {
      const { server, upstream } = await serve(oddity, 'http', { limits: { maxMessageBytes: 1_000_000 } });
      expect(await callTool(upstream, 'echo')).toMatchObject({
        type: 'unreadable',
        detail: 'The answer was longer than 1 MB and was not read.',
      });
      await expect.poll(() => server.closedByClient).toBeGreaterThan(0);
      await upstream.connect(never);
      expect(await toolNames(upstream)).toHaveLength(1);
    },
  );

  it.each<HttpOddity>(['breaks off', 'breaks off with ids', 'answers another request', 'answers a request with 202'])(
    '%s: the call ends at once, and says that it may have been carried out',
    async (oddity) => {
      const { upstream } = await serve(oddity);
      expect(await callTool(upstream, 'echo')).toMatchObject({
        type: 'unreadable',
        detail: 'The answer broke off.',
      });
    },
  );

  it('a channel that closes at once is opened a few times a minute, not as often as the server closes it', async () => {
    const { server, upstream } = await serve('closes its channel at once');
    expect(await callTool(upstream, 'echo')).toContain('in s1');
    await expect.poll(() => server.count('GET')).toBe(6);
    expect(await callTool(upstream, 'echo')).toContain('in s1');
    expect(server.count('GET')).toBe(6);
  });

  it('HUB-07: a redirect to another origin is not followed', async () => {
    const { upstream } = await serve('redirects elsewhere');
    expect(await callTool(upstream, 'echo')).toMatchObject({
      type: 'unavailable',
      detail: expect.stringContaining('It redirects to another server.'),
    });
  });

  it('a server that never answers fails when the time to connect is over', async () => {
    const clock = new FakeClock();
    const { server, upstream } = await serve('never answers', 'either', { clock });
    const called = callTool(upstream, 'echo');
    await expect.poll(() => server.heard).toEqual(['POST initialize']);
    await clock.advance(30_000);
    expect(await called).toEqual({ type: 'unavailable', detail: 'It did not answer within 30 s.', wasSent: false });
  });

  it('an abort notifies the server and closes its open stream', async () => {
    const { server, upstream } = await serve('waits');
    const aborting = new AbortController();
    const called = callTool(upstream, 'echo', {}, aborting);
    await expect.poll(() => server.count('POST tools/call')).toBe(1);
    aborting.abort();
    expect(await called).toEqual({ type: 'cancelled', wasSent: true });
    await expect.poll(() => server.count('POST notifications/cancelled')).toBe(1);
    await expect.poll(() => server.closedByClient).toBeGreaterThan(0);
  });

  it('one that is not there is a failure that says why', async () => {
    const upstream = place.server({ type: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} });
    expect(await callTool(upstream, 'echo')).toMatchObject({
      type: 'unavailable',
      detail: expect.stringMatching(/could not be reached|bad port/),
    });
  });

  it.each(['file:///etc/passwd', 'http://user:password@127.0.0.1/', 'not an address', 'javascript:alert(1)'])(
    'CONFIG: %s is no address of a server',
    async (url) => {
      const upstream = place.server({ type: 'either', url, headers: {} });
      expect(await callTool(upstream, 'echo')).toMatchObject({
        type: 'unavailable',
        detail: expect.stringContaining('is not http or https'),
      });
    },
  );

  it.each<'sse' | 'either'>(['sse', 'either'])('an older server is spoken with as it can (%s)', async (type) => {
    const { upstream } = await serve('is an older one', type);
    expect(await callTool(upstream, 'echo', { n: 1 })).toBe('{"n":1} in s0');
  });

  it('an older server whose stream ends has ended: no stream is opened before the next call', async () => {
    const { server, upstream } = await serve('is an older one that closes', 'sse');
    expect(await callTool(upstream, 'echo')).toMatchObject({ type: 'unavailable', wasSent: true });
    expect((await upstream.describe()).state).toMatchObject({ type: 'failed', failures: 1 });
    expect(server.count('GET')).toBe(1);
  });
});

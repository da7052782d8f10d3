import type { ServerCredential } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoginKey } from '../testing/login-key.ts';
import { callTool } from '../testing/upstream-place.ts';
import type { UpstreamServer } from '../upstream-server.ts';

const wantsLogin = { type: 'unavailable', detail: 'Login required: gemini-mcp-server mcp login tools' };
let place: LoginKey;

beforeEach(() => {
  place = new LoginKey();
});

afterEach(() => place.close());

async function kept(): Promise<ServerCredential> {
  const found = await place.store.find({ owner: 'alice', server: place.server.url });
  if (found === null) {
    throw new Error('no credential is kept');
  }
  return found.credential;
}

/** Has the issuer answer requests for tokens like this, until it is called. */
function answerTokens(status: number, body: string): () => void {
  place.issuer.interfere = (request, response) => {
    const isToken = request.url === '/token';
    if (isToken) {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    }
    return isToken;
  };
  return () => {
    place.issuer.interfere = () => false;
  };
}

describe('Renewing tokens', () => {
  it('one that has expired is renewed, and the call made again with the new one', async () => {
    await place.open();
    await place.logIn();
    const upstream = place.upstream();
    expect(await callTool(upstream, 'work')).toBe('work was done');
    await place.issuer.expire((await kept()).tokens.access);
    expect(await callTool(upstream, 'work')).toBe('work was done');
    expect(place.issuer.refreshes).toBe(1);
  });

  it('one that is about to expire is renewed before it is refused', async () => {
    await place.open({ lifeSeconds: 60 });
    await place.logIn();
    const clock = new FakeClock(Date.now());
    const upstream = place.upstream(place.process({ clock }));
    await upstream.connect(new AbortController().signal);
    expect(place.issuer.refreshes).toBe(0);
    await clock.advance(35_000);
    const old = `Bearer ${(await kept()).tokens.access}`;
    const before = place.server.headers.length;
    expect(await callTool(upstream, 'work')).toBe('work was done');
    expect(place.issuer.refreshes).toBe(1);
    expect(place.server.headers.slice(before).map(({ authorization }) => authorization)).not.toContain(old);
  });

  it('HUB-34: 10 calls of each of three processes with an expired token that rotates: renewed once', async () => {
    await place.open();
    await place.logIn();
    const upstreams = Array.from({ length: 3 }, () => place.upstream(place.process()));
    await Promise.all(upstreams.map((upstream) => callTool(upstream, 'work')));
    await place.issuer.expire((await kept()).tokens.access);
    const called = upstreams.flatMap((upstream: UpstreamServer) =>
      Array.from({ length: 10 }, () => callTool(upstream, 'work')),
    );
    expect(new Set(await Promise.all(called))).toEqual(new Set(['work was done']));
    expect(place.issuer.tokenAnswers).toEqual(['authorization_code', 'refresh_token']);
  });

  it.each([
    ['500', 500, 'no'],
    ['500 that says invalid_grant', 500, '{"error":"invalid_grant"}'],
    ['503 and HTML', 503, '<html>'],
    ['200 and no token', 200, '{}'],
    ['200 and no JSON', 200, '<html>'],
    ['400 for another reason', 400, '{"error":"temporarily_unavailable"}'],
    ['a token that no header can have', 200, '{"access_token":"a\\r\\nx: y","token_type":"bearer"}'],
  ])('HUB-35: %s: the credential is kept, the call says why, and the next is answered', async (_, status, body) => {
    await place.open();
    await place.logIn();
    const upstream = place.upstream();
    await callTool(upstream, 'work');
    const before = await kept();
    await place.issuer.expire(before.tokens.access);
    const restore = answerTokens(status, body);
    expect(await callTool(upstream, 'work')).toMatchObject({
      type: 'unavailable',
      detail: expect.stringContaining('its login cannot be renewed now'),
    });
    const { tokens, refusal, renewal } = await kept();
    expect({ tokens, refusal, renewal }).toEqual({ tokens: before.tokens, refusal: null, renewal: null });
    restore();
    expect(await callTool(place.upstream(), 'work')).toBe('work was done');
  });

  it('HUB-35: an issuer that is not there: the credential is kept', async () => {
    await place.open();
    await place.logIn();
    const upstream = place.upstream();
    const before = await kept();
    await place.issuer.expire(before.tokens.access);
    place.issuer.interfere = (request) => request.url === '/token' && request.socket.destroy() !== undefined;
    expect(await callTool(upstream, 'work')).toMatchObject({
      type: 'unavailable',
      detail: expect.stringContaining('could not be reached'),
    });
    expect((await kept()).tokens).toEqual(before.tokens);
  });

  it('HUB-35: an issuer that takes the token no more is asked once: the user has to log in, sees why, and that cures it', async () => {
    await place.open();
    await place.logIn();
    const upstream = place.upstream();
    await place.issuer.expire((await kept()).tokens.access);
    let asked = 0;
    place.issuer.interfere = (request, response) => {
      const isToken = request.url === '/token';
      if (isToken) {
        asked += 1;
        response.writeHead(400).end('{"error":"invalid_grant","error_description":"<b>gone</b>\\u001b[2J"}');
      }
      return isToken;
    };
    expect(await callTool(upstream, 'work')).toMatchObject(wantsLogin);
    expect(await callTool(upstream, 'work')).toMatchObject(wantsLogin);
    expect(await callTool(place.upstream(place.process()), 'work')).toMatchObject(wantsLogin);
    expect(asked).toBe(1);
    expect(await place.known()).toEqual({
      type: 'refused',
      issuer: place.issuer.issuer,
      detail: 'Its issuer refused:\n| invalid_grant: <b>gone</b>\\u{1b}[2J',
    });
    expect((await upstream.describe()).listProblem).toContain('| invalid_grant: <b>gone</b>');
    place.issuer.interfere = () => false;
    await place.logIn();
    expect(await callTool(upstream, 'work')).toBe('work was done');
    expect((await upstream.describe()).listProblem).toBeNull();
  });

  it('a server that refuses every token has one renewed, and is not asked again before a login', async () => {
    await place.open({}, { metadata: {} });
    await place.logIn();
    const upstream = place.upstream();
    await callTool(upstream, 'work');
    place.server.refusesAll = true;
    expect(await callTool(upstream, 'work')).toMatchObject(wantsLogin);
    const before = place.server.headers.length;
    expect(await callTool(upstream, 'work')).toMatchObject(wantsLogin);
    expect(await callTool(upstream, 'work')).toMatchObject(wantsLogin);
    expect(place.server.headers.length).toBe(before);
    expect(place.issuer.refreshes).toBe(1);
  });

  it('a process that was killed while it renewed is waited for until its lease ends, whatever its clock says', async () => {
    await place.open();
    await place.logIn();
    const clock = new FakeClock(Date.now());
    const credential = await kept();
    await place.issuer.expire(credential.tokens.access);
    const { version } = (await place.store.find({ owner: 'alice', server: credential.server })) ?? { version: 0 };
    const renewal = { by: 'dead', untilMs: clock.now() + 86_400_000 };
    await place.store.save('alice', { credential: { ...credential, renewal }, expectedVersion: version });
    const called = callTool(place.upstream(place.process({ clock })), 'work');
    await expect.poll(() => clock.sleeping).toBeGreaterThan(0);
    await clock.advance(9_900);
    expect(place.issuer.refreshes).toBe(0);
    await clock.advance(200);
    expect(await called).toBe('work was done');
    expect(place.issuer.refreshes).toBe(1);
  });

  it('HUB-35: after a process was killed with unsaved tokens, the user has to log in, and that works', async () => {
    await place.open();
    await place.logIn();
    const { tokens, client, resource } = await kept();
    const upstream = place.upstream();
    await callTool(upstream, 'work');
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh ?? '', client_id: client.id };
    const body = new URLSearchParams({ ...form, resource: resource ?? '' });
    const answer = await fetch(`${place.issuer.issuer}/token`, { method: 'POST', body });
    expect([answer.status, place.issuer.refreshes]).toEqual([200, 1]);
    await place.issuer.expire(tokens.access);
    expect(await callTool(upstream, 'work')).toMatchObject(wantsLogin);
    expect(await place.known()).toMatchObject({ type: 'refused', detail: expect.stringContaining('invalid_grant') });
    await place.logIn();
    expect(await callTool(upstream, 'work')).toBe('work was done');
  });

  it('a clock that was set back does not have an old login used for longer', async () => {
    await place.open();
    await place.logIn();
    const clock = new FakeClock(Date.now());
    const upstream = place.upstream(place.process({ clock }));
    await callTool(upstream, 'work');
    const old = `Bearer ${(await kept()).tokens.access}`;
    await clock.advance(-3_600_000);
    await place.logIn(place.process());
    const before = place.server.headers.length;
    expect(await callTool(upstream, 'work')).toBe('work was done');
    expect(place.server.headers.slice(before).map(({ authorization }) => authorization)).not.toContain(old);
  });

  it('tokens that cannot be kept are used all the same, and kept as soon as that can be', async () => {
    await place.open();
    await place.logIn();
    const upstream = place.upstream();
    const old = await kept();
    await place.issuer.expire(old.tokens.access);
    // After the claim, before the tokens.
    place.issuer.interfere = (request) => {
      place.store.problem = request.url === '/token' ? 'the disk is full' : place.store.problem;
      return false;
    };
    expect(await callTool(upstream, 'work')).toBe('work was done');
    expect((await kept()).serial).toBe(old.serial);
    expect(await callTool(upstream, 'work')).toBe('work was done');
    place.store.problem = null;
    expect(await callTool(upstream, 'work')).toBe('work was done');
    expect((await kept()).serial).not.toBe(old.serial);
    expect(place.issuer.refreshes).toBe(1);
  });

  it('no token is in the log, the state, or what calls and logins end with', async () => {
    await place.open();
    const told: unknown[] = [await place.logIn()];
    const upstream = place.upstream();
    const first = await kept();
    await place.issuer.expire(first.tokens.access);
    told.push(await callTool(upstream, 'work'), await callTool(upstream, 'rule'));
    const second = await kept();
    const description = `${second.tokens.refresh} and ${second.tokens.access} are not known`;
    const restore = answerTokens(400, JSON.stringify({ error: 'invalid_grant', error_description: description }));
    await place.issuer.expire(second.tokens.access);
    told.push(await callTool(upstream, 'work'), await upstream.describe(), await place.known(), place.log);
    expect(await place.known()).toMatchObject({
      detail: expect.stringContaining('[hidden] and [hidden] are not known'),
    });
    restore();
    const text = JSON.stringify(told);
    const secrets = [first, second].flatMap(({ tokens }) => [tokens.access, tokens.refresh ?? tokens.access]);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(secrets.every((secret) => secret.length > 20)).toBe(true);
  });
});

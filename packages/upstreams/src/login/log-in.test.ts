import type { LoginLink } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import { AuthorizationServer } from '@gemini-mcp/fake-gemini/login-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoginKey } from '../testing/login-key.ts';
import { callTool } from '../testing/upstream-place.ts';

const never = new AbortController().signal;
const wantsLogin = {
  type: 'unavailable',
  detail: 'Login required: gemini-mcp-server mcp login tools',
  wasSent: false,
};
let place: LoginKey;

beforeEach(() => {
  place = new LoginKey();
});

afterEach(() => place.close());

describe('Logging in', () => {
  it('finds the issuer, registers, has the user agree; a server that waited for it works then, in any process', async () => {
    await place.open();
    const upstream = place.upstream();
    expect(await callTool(upstream, 'work')).toEqual(wantsLogin);
    expect(await place.logIn(place.process())).toEqual({
      type: 'logged-in',
      issuer: place.issuer.issuer,
      scopes: expect.arrayContaining(['tools']),
    });
    expect(await callTool(upstream, 'work')).toBe('work was done');
    expect(await callTool(place.upstream(place.process()), 'work')).toBe('work was done');
    expect(place.issuer.tokenAnswers).toEqual(['authorization_code']);
  });

  it('asks for the resource and with PKCE, and has the browser sent to 127.0.0.1 alone', async () => {
    await place.open();
    await place.logIn();
    const { searchParams } = new URL(place.browser.visited[0] ?? '');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      resource: place.server.url,
      code_challenge_method: 'S256',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback$/),
    });
  });

  it('HUB-36: the login of one owner is of no use to another', async () => {
    await place.open();
    await place.logIn();
    expect(await callTool(place.upstream(undefined, { owner: 'bob' }), 'work')).toEqual(wantsLogin);
    expect(place.server.headers.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('HUB-02: the same name with another address gets no credential', async () => {
    await place.open();
    await place.logIn();
    const url = place.server.url.replace('/mcp', '/mcp-of-another');
    expect(await callTool(place.upstream(undefined, { url }), 'work')).toEqual(wantsLogin);
    expect(place.server.headers.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('ends with an address copied from another browser; ignores any other address', async () => {
    await place.open();
    const taken: boolean[] = [];
    const end = await place.logIn(undefined, {
      user: async ({ url, answer }) => {
        const address = await place.browser.open(url, 'http://127.0.0.1:');
        // The issuer is on loopback, too: goes on to where the browser cannot come.
        const callback = await place.browser.open(
          url,
          address.startsWith(place.issuer.issuer) ? 'http://127.0.0.1:1' : '',
        );
        taken.push(answer('not an address'), answer(callback));
      },
    });
    expect(end.type).toBe('logged-in');
    expect(taken[0]).toBe(false);
  });

  it('UPSTREAM-M5: shows the link and its issuer before it opens a browser', async () => {
    await place.open();
    const opened: string[] = [];
    const logins = place.process({ openBrowser: async (url) => opened.push(url) > 0 });
    const links: string[] = [];
    await place.logIn(logins, {
      opensBrowser: true,
      user: async ({ url, issuer }) => {
        // Before it is opened: the user sees whose page it will be.
        expect(opened).toEqual([]);
        links.push(url);
        expect(issuer).toBe(new URL(place.issuer.issuer).origin);
        await place.browser.open(url);
      },
    });
    expect(opened).toEqual(links);
  });

  it('a second login uses the registration of the first', async () => {
    await place.open();
    await place.logIn();
    await place.logIn();
    const clients = place.browser.visited.flatMap((url) => new URL(url).searchParams.get('client_id') ?? []);
    expect(new Set(clients).size).toBe(1);
  });

  it('a client that the settings name is used, with its secret', async () => {
    await place.open({
      registers: false,
      clients: [
        {
          client_id: 'ours',
          client_secret: 'a secret of ours',
          token_endpoint_auth_method: 'client_secret_basic',
          redirect_uris: ['http://127.0.0.1/oauth/callback'],
          application_type: 'native',
        },
      ],
    });
    expect(await place.logIn()).toMatchObject({
      type: 'failed',
      detail: expect.stringMatching(/accepts only registered programs\..*oauth\.clientId/s),
    });
    place.settings = { oauth: { clientId: 'ours', clientSecret: 'a secret of ours' } };
    expect(await place.logIn()).toMatchObject({ type: 'logged-in' });
    expect(await callTool(place.upstream(), 'work')).toBe('work was done');
    place.settings = { oauth: { clientId: 'another' } };
    expect(await callTool(place.upstream(), 'work')).toEqual(wantsLogin);
  });

  it('UPSTREAM-M5: sends a configured secret only to the issuer of the first login or of the settings', async () => {
    const client = {
      client_id: 'ours',
      client_secret: 'a secret of ours',
      token_endpoint_auth_method: 'client_secret_basic',
      redirect_uris: ['http://127.0.0.1/oauth/callback'],
      application_type: 'native',
    } as const;
    await place.open({ registers: false, clients: [client] });
    place.settings = { oauth: { clientId: 'ours', clientSecret: 'a secret of ours' } };
    const told: (string | null)[] = [];
    const user = async ({ url, secretGoesTo }: LoginLink): Promise<void> => {
      told.push(secretGoesTo);
      await place.browser.open(url);
    };
    expect(await place.logIn(undefined, { user })).toMatchObject({ type: 'logged-in' });
    const first = place.issuer.issuer;
    const other = new AuthorizationServer({ registers: false, clients: [client] });
    await other.listen();
    place.server.issuer = other;
    expect(await place.logIn(undefined, { user })).toEqual({
      type: 'failed',
      detail: `Its login moved from ${first} to ${other.issuer}. Your oauth.clientSecret was not sent there. If the move is right, set oauth.issuer of this server to the new address.`,
    });
    expect(other.tokenAnswers).toEqual([]);
    expect(told).toEqual([new URL(first).origin]);
    place.settings = { oauth: { clientId: 'ours', clientSecret: 'a secret of ours', issuer: other.issuer } };
    expect(await place.logIn(undefined, { user })).toMatchObject({ type: 'logged-in', issuer: other.issuer });
    await other.close();
  });

  it('a secret that is not there is named', async () => {
    await place.open();
    place.settings = { oauth: { clientId: 'ours', clientSecret: 'keychain:theirs' } };
    expect(await place.logIn()).toEqual({
      type: 'failed',
      detail: 'Its oauth.clientSecret needs the secret keychain:theirs, which does not exist.',
    });
  });

  it('rights that a call misses are named, asked for with the next login, and then there', async () => {
    await place.open();
    await place.logIn();
    const upstream = place.upstream();
    const missing = {
      type: 'error',
      message: expect.stringContaining('It requires more rights than its login has: tools, admin.'),
    };
    expect(await callTool(upstream, 'rule')).toMatchObject(missing);
    expect(await callTool(upstream, 'work')).toBe('work was done');
    await place.logIn();
    expect(await callTool(place.upstream(), 'rule')).toBe('rule was done');
  });

  it('a server that needs no login, or must not have one, says so', async () => {
    await place.open();
    place.settings = { oauth: { enabled: false } };
    expect(await place.logIn()).toMatchObject({ type: 'not-needed', detail: expect.stringContaining('oauth.enabled') });
    expect(await callTool(place.upstream(), 'work')).toEqual(wantsLogin);
    place.settings = { authProviderType: 'google_credentials', oauth: { scopes: ['a'] } };
    expect(await place.logIn()).toMatchObject({ type: 'not-needed', detail: expect.stringContaining('gcloud') });
  });

  it('logging out ends the tokens at the issuer, and forgets them', async () => {
    await place.open();
    await place.logIn();
    expect(await place.known()).toMatchObject({ type: 'logged-in', issuer: place.issuer.issuer });
    const token = await tokenOf();
    expect(await place.process().logout({ owner: 'alice', server: 'tools' }, never)).toEqual({
      type: 'logged-out',
      isRevoked: true,
    });
    expect(await place.known()).toEqual({ type: 'none' });
    expect(await place.issuer.scopesOf(token, place.server.url)).toBeNull();
    expect(await place.process().logout({ owner: 'alice', server: 'tools' }, never)).toEqual({ type: 'none' });
    expect(await callTool(place.upstream(), 'work')).toEqual(wantsLogin);
  });

  it('an issuer that is not there at the logout does not keep the credential here', async () => {
    await place.open();
    await place.logIn();
    await place.issuer.close();
    expect(await place.process().logout({ owner: 'alice', server: 'tools' }, never)).toEqual({
      type: 'logged-out',
      isRevoked: false,
    });
  });

  it('does not ask the user if the credential could not be saved', async () => {
    await place.open();
    place.store.problem = 'the keychain is locked';
    expect(await place.logIn()).toEqual({
      type: 'failed',
      detail: 'No credential can be kept: the keychain is locked.',
    });
    expect(place.browser.visited).toEqual([]);
  });

  it('reports an unreadable credential, and replaces it at login', async () => {
    await place.open();
    await place.logIn();
    place.store.unreadable = 'The keychain does not have its key any more.';
    expect(await callTool(place.upstream(), 'work')).toMatchObject({
      type: 'unavailable',
      detail: expect.stringContaining('its login cannot be used now. The keychain does not have its key any more'),
    });
    expect(await place.logIn()).toMatchObject({ type: 'logged-in' });
    expect(await callTool(place.upstream(), 'work')).toBe('work was done');
  });

  it('removes an unreadable credential at logout', async () => {
    await place.open();
    await place.logIn();
    place.store.unreadable = 'The keychain does not have its key any more.';
    expect(await place.process().logout({ owner: 'alice', server: 'tools' }, never)).toEqual({
      type: 'logged-out',
      isRevoked: false,
    });
    expect(await place.process().logout({ owner: 'alice', server: 'tools' }, never)).toEqual({ type: 'none' });
  });

  it('ends when it is aborted, or when no one answers, and leaves no port open', async () => {
    await place.open();
    const aborting = new AbortController();
    const clock = new FakeClock();
    let redirect = '';
    const user =
      (then: () => unknown) =>
      async ({ url }: { readonly url: string }) => {
        redirect = new URL(url).searchParams.get('redirect_uri') ?? '';
        await then();
      };
    expect(await place.logIn(undefined, { signal: aborting.signal, user: user(() => aborting.abort()) })).toEqual({
      type: 'cancelled',
    });
    await expect(fetch(redirect)).rejects.toThrow();
    expect(await place.logIn(place.process({ clock }), { user: user(() => clock.advance(600_000)) })).toEqual({
      type: 'failed',
      detail: 'No answer came within ten minutes.',
    });
    await expect(fetch(redirect)).rejects.toThrow();
    expect(clock.sleeping).toBe(0);
  });
});

async function tokenOf(): Promise<string> {
  const kept = await place.store.find({ owner: 'alice', server: place.server.url });
  return kept?.credential.tokens.access ?? '';
}

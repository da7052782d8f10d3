import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoginKey } from '../testing/login-key.ts';
import { callTool } from '../testing/upstream-place.ts';

let place: LoginKey;

beforeEach(() => {
  place = new LoginKey();
});

afterEach(() => place.close());

const metadataPath = '/.well-known/oauth-authorization-server';

/** Overrides members of the issuer's metadata. */
function alterMetadata(change: Readonly<Record<string, unknown>>): void {
  const { issuer } = place.issuer;
  place.issuer.interfere = (asked, response) => {
    const isMetadata = asked.url === metadataPath;
    if (isMetadata) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          registration_endpoint: `${issuer}/reg`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
          ...change,
        }),
      );
    }
    return isMetadata;
  };
}

/** What a page that a browser shows, or a program of another user, can send to the port of a login. */
async function sendTo(url: string, { method = 'GET', host = '' } = {}): Promise<number> {
  const { hostname, port, pathname, search } = new URL(url);
  return await new Promise((resolve, reject) => {
    const headers = { host: host || `${hostname}:${port}` };
    request({ hostname, port, path: `${pathname}${search}`, method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .once('error', reject)
      .end();
  });
}

describe('OAUTH: hostile inputs of a login', () => {
  it('HUB-32: callbacks of others are answered and have no effect: the login goes on, and ends with the right one', async () => {
    await place.open();
    const answers: number[] = [];
    const end = await place.logIn(undefined, {
      user: async ({ url }) => {
        const { searchParams } = new URL(url);
        const redirect = searchParams.get('redirect_uri') ?? '';
        const state = searchParams.get('state') ?? '';
        answers.push(
          await sendTo(`${redirect}?code=stolen`),
          await sendTo(`${redirect}?code=stolen&state=wrong`),
          await sendTo(`${redirect}?error=access_denied&state=wrong`),
          await sendTo(`${redirect}?code=x&state=${state}&state=other`),
          await sendTo(redirect.replace('/oauth/callback', '/')),
          await sendTo(`${redirect}?code=x&state=${state}`, { method: 'POST' }),
          await sendTo(`${redirect}?code=x&state=${state}`, { host: 'evil.example' }),
        );
        await place.browser.open(url);
      },
    });
    expect(answers).toEqual([400, 400, 400, 400, 404, 404, 404]);
    expect(end.type).toBe('logged-in');
  });

  it('HUB-33: a callback that knows the question and names another issuer ends the login, and its code is not used', async () => {
    await place.open();
    const end = await place.logIn(undefined, {
      user: async ({ url }) => {
        const { searchParams } = new URL(url);
        const state = searchParams.get('state') ?? '';
        await sendTo(`${searchParams.get('redirect_uri')}?code=x&state=${state}&iss=https://evil.example`);
      },
    });
    expect(end).toEqual({
      type: 'failed',
      detail: 'The answer to the login came from another issuer and was not used.',
    });
    expect(place.issuer.tokenAnswers).toEqual([]);
  });

  it('HUB-33: a callback that names no issuer, of one that always does, is not used either', async () => {
    await place.open();
    const end = await place.logIn(undefined, {
      user: async ({ url }) => {
        const { searchParams } = new URL(url);
        await sendTo(`${searchParams.get('redirect_uri')}?code=x&state=${searchParams.get('state')}`);
      },
    });
    expect(end).toMatchObject({ type: 'failed', detail: expect.stringContaining('another issuer') });
    expect(place.issuer.tokenAnswers).toEqual([]);
  });

  it('HUB-33: an issuer that calls itself by another name is not asked to log in', async () => {
    await place.open();
    alterMetadata({ issuer: 'https://accounts.example' });
    expect(await place.logIn()).toMatchObject({ type: 'failed', detail: expect.stringContaining('another name') });
    expect(place.browser.visited).toEqual([]);
  });

  it.each(['https://other.example/mcp', 'http://127.0.0.1:1/mcp', 'javascript:alert(1)', 'not an address'])(
    'HUB-37: a server that says that it is %s gets no login',
    async (resource) => {
      await place.open({}, { metadata: { resource } });
      expect(await place.logIn()).toMatchObject({ type: 'failed' });
      expect(place.browser.visited).toEqual([]);
      expect(await place.known()).toEqual({ type: 'none' });
    },
  );

  it.each([
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['authorization_endpoint', 'file:///etc/passwd'],
    ['authorization_endpoint', 'http://login.example/auth'],
    ['authorization_endpoint', 'https://169.254.169.254/auth'],
    ['authorization_endpoint', 'calculator:x'],
    ['token_endpoint', 'http://login.example/token'],
    ['token_endpoint', 'https://metadata.google.internal/token'],
    ['registration_endpoint', 'http://192.168.1.1/register'],
    ['revocation_endpoint', 'file:///etc/passwd'],
  ])('HUB-38: an issuer whose %s is %s is not asked, and no browser is opened', async (name, endpoint) => {
    await place.open();
    alterMetadata({ [name]: endpoint });
    const opened: string[] = [];
    const end = await place.logIn(place.process({ openBrowser: async (url) => opened.push(url) > 0 }), {
      opensBrowser: true,
    });
    expect(end).toMatchObject({ type: 'failed' });
    expect([...opened, ...place.browser.visited]).toEqual([]);
  });

  it.each([
    ['tokenUrl alone', false],
    ['the issuer too', true],
  ])('UPSTREAM-M5: with %s in the settings, the secret is sent to end tokens: %s', async (_, isIssuerNamed) => {
    const method = 'client_secret_basic' as const;
    const client = { client_id: 'ours', client_secret: 'a secret of ours', token_endpoint_auth_method: method };
    const redirects = { redirect_uris: ['http://127.0.0.1/oauth/callback'], application_type: 'native' as const };
    await place.open({ registers: false, clients: [{ ...client, ...redirects }] });
    const { issuer } = place.issuer;
    const named = { tokenUrl: `${issuer}/token`, ...(isIssuerNamed && { issuer }) };
    place.settings = { oauth: { clientId: 'ours', clientSecret: 'a secret of ours', ...named } };
    alterMetadata({ revocation_endpoint: `${issuer}/of-the-issuer-that-the-server-names` });
    expect(await place.logIn()).toMatchObject({ type: 'logged-in' });
    const kept = await place.store.find({ owner: 'alice', server: place.server.url });
    expect(kept?.credential.revocationUrl).toBe(isIssuerNamed ? `${issuer}/of-the-issuer-that-the-server-names` : null);
  });

  it('HUB-38: an issuer without PKCE by SHA-256 is not asked', async () => {
    await place.open();
    for (const methods of [['plain'], []]) {
      alterMetadata({ code_challenge_methods_supported: methods });
      expect(await place.logIn()).toMatchObject({ type: 'failed' });
    }
    expect(place.browser.visited).toEqual([]);
  });

  it('HUB-38: an address for the browser that is too long for one is not opened', async () => {
    await place.open();
    alterMetadata({ authorization_endpoint: `${place.issuer.issuer}/auth?a=${'a'.repeat(20_000)}` });
    const opened: string[] = [];
    const logins = place.process({ openBrowser: async (url) => opened.push(url) > 0 });
    expect(await place.logIn(logins, { opensBrowser: true })).toEqual({
      type: 'failed',
      detail: 'The login address of its issuer is too long for a browser.',
    });
    expect([...opened, ...place.browser.visited]).toEqual([]);
  });

  it('HUB-38: does not ask for invalid rights, nor for more than a hundred', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `right-${index}`);
    const scopes = ['two words', 'line\nend', '\u001b[2J', '"', '', 'a'.repeat(1_000), 'tools', ...many];
    await place.open({}, { challenge: 'Bearer', metadata: { scopes_supported: scopes } });
    const registered: string[] = [];
    const fetching: typeof fetch = async (url, init) => {
      registered.push(...(String(url).endsWith('/reg') ? [String(init?.body)] : []));
      return await fetch(url, init);
    };
    await place.logIn(place.process({ fetch: fetching }));
    const asked: unknown = JSON.parse(registered[0] ?? '{}');
    expect(asked).toMatchObject({ scope: ['tools', ...many.slice(0, 99), 'offline_access'].join(' ') });
  });

  it('HUB-36: nothing listens here for a login by a link: the one who opens it gives no account away', async () => {
    await place.open();
    const reached: string[] = [];
    const end = await place.logIn(undefined, {
      listens: false,
      user: async ({ url, answer }) => {
        const redirect = new URL(url).searchParams.get('redirect_uri') ?? '';
        await fetch(redirect).then(
          () => reached.push(redirect),
          () => undefined,
        );
        answer(await place.browser.open(url, redirect));
      },
    });
    expect(end.type).toBe('logged-in');
    expect(reached).toEqual([]);
  });

  it.each([
    ['as they are', (text: string) => text],
    ['as the form has them', (text: string) => encodeURIComponent(text)],
  ])('HUB-48: secrets that an issuer writes into a refusal, %s, are not shown', async (_, write) => {
    await place.open();
    const sent: string[] = [];
    place.issuer.interfere = (asked, response) => {
      const isToken = asked.url === '/token';
      if (isToken) {
        void text(asked).then((body) => {
          const form = new URLSearchParams(body);
          sent.push(form.get('code') ?? '', form.get('code_verifier') ?? '');
          const description = `unknown: ${sent.map(write).join(' and ')}`;
          response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant', error_description: description }));
        });
      }
      return isToken;
    };
    expect(await place.logIn()).toEqual({
      type: 'failed',
      detail: 'Its issuer refused:\n| invalid_grant: unknown: [hidden] and [hidden]',
    });
    expect(sent.every((one) => one.length > 20)).toBe(true);
  });

  it.each([
    ['of a file', 'Bearer resource_metadata="file:///etc/passwd"'],
    ['of the machine of a cloud', 'Bearer resource_metadata="http://169.254.169.254/latest"'],
    ['that is not encrypted', 'Bearer resource_metadata="http://192.168.1.1/"'],
  ])('HUB-38: a challenge with an address %s asks nothing there', async (_, challenge) => {
    await place.open({}, { challenge });
    const fetched: string[] = [];
    const fetching: typeof fetch = async (url, init) => {
      fetched.push(new URL(String(url)).host);
      return await fetch(url, init);
    };
    const end = await place.logIn(place.process({ fetch: fetching, lookup: async () => [] }));
    expect(end.type === 'logged-in' || end.type === 'failed').toBe(true);
    expect(fetched.filter((host) => !host.startsWith('127.0.0.1'))).toEqual([]);
  });

  it.each([
    ['of 10,000 characters', `Bearer ${'a="b", '.repeat(1_400)}`],
    ['of no form', 'Bearer ==,,"""\\'],
    ['of another kind', 'Negotiate'],
  ])('a challenge %s does not prevent a login', async (_, challenge) => {
    await place.open({}, { challenge });
    expect(await place.logIn()).toMatchObject({ type: 'logged-in' });
  });

  it('HUB-39: a challenge of 1 MB is a failure with a reason, of the login and of a call', async () => {
    await place.open({}, { challenge: `Bearer realm="${'a'.repeat(1_000_000)}"` });
    expect(await place.logIn()).toMatchObject({
      type: 'failed',
      detail: expect.stringContaining('could not be reached'),
    });
    expect(await callTool(place.upstream(), 'work')).toMatchObject({ type: 'unavailable' });
  });

  it('HUB-48: shows HTML and escapes of a refusal as text', async () => {
    await place.open();
    place.issuer.consents = false;
    expect(await place.logIn()).toEqual({
      type: 'failed',
      detail: 'Its issuer refused:\n| access_denied: <script>alert(1)</script>\\u{1b}[2J no',
    });
  });

  it('HUB-48: no word of a callback is in the page that answers it', async () => {
    await place.open();
    const page = { text: '', type: '' };
    await place.logIn(undefined, {
      user: async ({ url }) => {
        const { searchParams } = new URL(url);
        const said = '<script>alert(1)</script>';
        const state = searchParams.get('state') ?? '';
        const query = new URLSearchParams({ state, error: said, error_description: said, iss: place.issuer.issuer });
        const response = await fetch(`${searchParams.get('redirect_uri')}?${query}`);
        page.type = response.headers.get('content-type') ?? '';
        page.text = await response.text();
      },
    });
    expect(page).toEqual({
      text: 'You can close this page and go back to the program.\n',
      type: 'text/plain; charset=utf-8',
    });
  });

  it('HUB-39: metadata of 10 MB is not read', async () => {
    await place.open();
    alterMetadata({ op_policy: 'a'.repeat(10_000_000) });
    expect(await place.logIn()).toMatchObject({ type: 'failed', detail: expect.stringContaining('more than 256 kB') });
  });

  it('invalid metadata fails with a reason', async () => {
    await place.open();
    for (const body of ['<html>', '[]', '{"issuer":1}', 'null']) {
      place.issuer.interfere = (asked, response) => {
        const isMetadata = asked.url?.startsWith('/.well-known') === true;
        if (isMetadata) {
          response.writeHead(200).end(body);
        }
        return isMetadata;
      };
      expect(await place.logIn()).toEqual({
        type: 'failed',
        detail: 'Its login metadata, or that of its issuer, cannot be understood.',
      });
    }
  });

  it('an issuer that never answers is given up after 30 s', async () => {
    await place.open();
    const clock = new FakeClock();
    place.issuer.interfere = () => true;
    const ended = place.logIn(place.process({ clock }));
    await expect.poll(() => place.server.asked.length).toBeGreaterThan(1);
    await expect.poll(() => clock.sleeping).toBe(1);
    await clock.advance(30_000);
    expect(await ended).toMatchObject({
      type: 'failed',
      detail: expect.stringContaining('did not answer within 30 s'),
    });
    expect(clock.sleeping).toBe(0);
  });

  it.each(['/token', '/reg'])('HUB-49: requests to %s follow no redirect to another origin', async (path) => {
    await place.open();
    const elsewhere = new LoginKey();
    await elsewhere.open();
    const visits: string[] = [];
    elsewhere.issuer.interfere = (asked, response) => {
      visits.push(asked.url ?? '');
      response.end('{}');
      return true;
    };
    place.issuer.interfere = (asked, response) => {
      const isAsked = asked.url === path;
      if (isAsked) {
        asked.resume();
        response.writeHead(307, { location: `${elsewhere.issuer.issuer}/taken` }).end();
      }
      return isAsked;
    };
    expect(await place.logIn()).toMatchObject({ type: 'failed' });
    expect(visits).toEqual([]);
    await elsewhere.close();
  });

  it('HUB-49: a server that sends requests elsewhere does not get the token sent along', async () => {
    await place.open();
    await place.logIn();
    const logins = place.process();
    const sent: (string | null)[] = [];
    const fetching: typeof fetch = async (_url, init) => {
      sent.push(new Headers(init?.headers).get('authorization'));
      return new Response('', { status: 200 });
    };
    const login = place.process({ fetch: fetching }).of(place.subject(), {});
    await login.fetch('https://elsewhere.example/mcp');
    await login.fetch(place.server.url);
    expect(sent).toEqual([null, expect.stringMatching(/^Bearer /)]);
    await logins.close();
  });

  it('a header of the settings is not replaced by a login', async () => {
    await place.open();
    await place.logIn();
    const sent: (string | null)[] = [];
    const fetching: typeof fetch = async (_url, init) => {
      sent.push(new Headers(init?.headers).get('authorization'));
      return new Response('', { status: 200 });
    };
    const headers = { Authorization: 'Bearer of-the-settings' };
    const login = place.process({ fetch: fetching }).of(place.subject(), headers);
    await login.fetch(place.server.url, { headers });
    expect(sent).toEqual(['Bearer of-the-settings']);
    expect(await login.hasNewLogin()).toBe(false);
  });

  it('HUB-36: the credentials of Google of the one who runs this server are not for its principals, unless a server is shared', async () => {
    await place.open();
    place.settings = { authProviderType: 'google_credentials', oauth: { scopes: ['a'] } };
    const logins = place.process({ isOfOneUser: false });
    const refused = { type: 'unavailable', detail: expect.stringContaining('are not yours') };
    expect(await callTool(place.upstream(logins), 'work')).toMatchObject(refused);
    place.settings = { ...place.settings, shared: true };
    const shared = {
      type: 'unavailable',
      detail: expect.stringContaining('Google tokens go only to https'),
    };
    expect(await callTool(place.upstream(logins), 'work')).toMatchObject(shared);
  });
});

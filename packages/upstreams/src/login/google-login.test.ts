import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readUpstreamConfig } from '../settings/read-upstream-config.ts';
import { GoogleLogin } from './google-login.ts';

let directory: string;
let google: Server;
let origin: string;
/** Each request to Google: its path, its authorization and its body. */
let asked: string[];
/** The requests to the server, as `<address> <authorization>`. */
let sent: string[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'google-'));
  asked = [];
  sent = [];
  google = createServer(async (request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ''} ${await text(request)}`);
    const claims = Buffer.from(JSON.stringify({ exp: 1_700_003_600 })).toString('base64url');
    const answer = request.url?.includes('generateIdToken')
      ? { token: `e30.${claims}.signature` }
      : { access_token: 'ya29.of-google', expires_in: 3_600, token_type: 'Bearer' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => google.listen(0, '127.0.0.1', resolve));
  const address = google.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  await writeFile(
    join(directory, 'key.json'),
    JSON.stringify({
      type: 'authorized_user',
      client_id: 'a client',
      client_secret: 'a secret',
      refresh_token: 'a refresh token',
      quota_project_id: 'the-quota',
    }),
  );
});

afterEach(async () => {
  google.closeAllConnections();
  await new Promise((resolve) => google.close(resolve));
  await rm(directory, { recursive: true });
});

function login(url: string, settings: object, file = 'key.json', clock = new FakeClock()): GoogleLogin {
  const { servers, problems } = readUpstreamConfig(JSON.stringify({ mcpServers: { g: { url, ...settings } } }), 's');
  const entry = servers.get('g');
  if (entry === undefined) {
    throw new Error(JSON.stringify(problems));
  }
  const values = { allowed: [], variables: new Map<string, string>(), secretOf: () => null };
  return new GoogleLogin({
    subject: { entry, url, owner: 'alice', values },
    clock,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      sent.push(`${String(input)} ${headers.get('authorization')} ${headers.get('x-goog-user-project')}`);
      return new Response('{}');
    },
    google: {
      auth: { keyFilename: join(directory, file), clientOptions: { endpoints: { oauth2TokenUrl: `${origin}/token` } } },
      impersonation: origin,
    },
  });
}

const scopes = ['https://www.googleapis.com/auth/userinfo.email'];
const credentials = { authProviderType: 'google_credentials', oauth: { scopes } };
const impersonation = {
  authProviderType: 'service_account_impersonation',
  targetAudience: 'client.apps.googleusercontent.com',
  targetServiceAccount: 'them@project.iam.gserviceaccount.com',
};

async function whyNot(request: Promise<unknown>): Promise<unknown> {
  const error: unknown = await request.catch((reason: unknown) => reason);
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : error;
}

describe('GoogleLogin', () => {
  it.each(['https://my-service.run.app/mcp', 'https://maps.googleapis.com/mcp', 'https://x.luci.app/mcp'])(
    'google_credentials sends the access token to %s, with the scopes of the settings',
    async (url) => {
      const { fetch } = login(url, credentials);
      await fetch(url, { method: 'POST', body: '{}' });
      await fetch(url, { method: 'POST', body: '{}' });
      expect(sent).toEqual(Array.from({ length: 2 }, () => `${url} Bearer ya29.of-google the-quota`));
      expect(asked).toHaveLength(1);
    },
  );

  it.each([
    'https://evil.example/mcp',
    'https://run.app.evil.example/mcp',
    'https://evilrun.app/mcp',
    'http://my-service.run.app/mcp',
  ])('OAUTH: google_credentials sends nothing to %s, and asks Google for nothing', async (url) => {
    expect(await whyNot(login(url, credentials).fetch(url))).toMatch(/only to https|their subdomains/);
    expect([...sent, ...asked]).toEqual([]);
  });

  it('an address elsewhere gets no token', async () => {
    const { fetch } = login('https://my-service.run.app/mcp', credentials);
    await fetch('https://other.run.app/mcp');
    expect(sent).toEqual(['https://other.run.app/mcp null null']);
  });

  it('service_account_impersonation sends an identity token of the account for the audience, until it is about to expire', async () => {
    const clock = new FakeClock();
    const url = 'https://mcp.example.com/mcp';
    const { fetch } = login(url, impersonation, 'key.json', clock);
    await fetch(url);
    await fetch(url);
    expect(sent).toEqual([expect.stringMatching(/Bearer e30\./), expect.stringMatching(/Bearer e30\./)]);
    const wanted = asked.filter((one) => one.includes('generateIdToken'));
    expect(wanted).toHaveLength(1);
    expect(wanted[0]).toContain(impersonation.targetServiceAccount);
    expect(wanted[0]).toContain(`"audience":"${impersonation.targetAudience}"`);
    await clock.advance(3_400_000);
    await fetch(url);
    expect(asked.filter((one) => one.includes('generateIdToken'))).toHaveLength(2);
  });

  it('says what to do without credentials, and quotes nothing from Google', async () => {
    const url = 'https://my-service.run.app/mcp';
    expect(await whyNot(login(url, credentials, 'nowhere.json').fetch(url))).toBe(
      'Google gave no token for its credentials',
    );
    expect(sent).toEqual([]);
  });
});

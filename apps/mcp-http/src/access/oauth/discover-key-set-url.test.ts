import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestIssuer, type TestIssuer } from '../testing/test-issuer.ts';
import { discoverKeySetUrl, metadataUrls } from './issuer-keys.ts';

const wellKnown = '/.well-known';

let issuer: TestIssuer;

beforeEach(async () => {
  issuer = await startTestIssuer('/tenant');
});

afterEach(() => issuer.close());

function publish(path: string, body: unknown, status = 200): void {
  issuer.answers.set(path, { status, body });
}

const first = `${wellKnown}/oauth-authorization-server/tenant`;
const discover = (): Promise<URL> => discoverKeySetUrl(issuer.issuer, fetch);

describe('metadataUrls', () => {
  it('inserts the well-known part between host and path, and appends it last', () => {
    expect(metadataUrls('https://a.example/x/y/')).toEqual([
      'https://a.example/.well-known/oauth-authorization-server/x/y',
      'https://a.example/.well-known/openid-configuration/x/y',
      'https://a.example/x/y/.well-known/openid-configuration',
    ]);
  });

  it('knows two places for an issuer without a path', () => {
    const expected = [
      'https://a.example/.well-known/oauth-authorization-server',
      'https://a.example/.well-known/openid-configuration',
    ];
    expect(metadataUrls('https://a.example')).toEqual(expected);
    expect(metadataUrls('https://a.example/')).toEqual(expected);
  });
});

describe('discoverKeySetUrl', () => {
  it('finds the keys through the metadata of RFC 8414', async () => {
    expect((await discover()).pathname).toBe('/jwks');
    expect(issuer.asked).toEqual([first]);
  });

  it.each([`${wellKnown}/openid-configuration/tenant`, `/tenant${wellKnown}/openid-configuration`])(
    'finds them at %s if earlier addresses have no usable metadata',
    async (path) => {
      publish(path, { issuer: issuer.issuer, jwks_uri: 'https://keys.example/set' });
      for (const [status, body] of [
        [404, {}],
        [500, {}],
        [302, {}],
        [200, '<html>'],
        [200, { issuer: issuer.issuer }],
      ] as const) {
        publish(first, body, status);
        expect((await discover()).href).toBe('https://keys.example/set');
      }
    },
  );

  it.each(['https://evil.com', 'http://127.0.0.1', ''])('refuses the metadata of %j', async (other) => {
    publish(first, { issuer: other, jwks_uri: 'https://keys.example/set' });
    await expect(discover()).rejects.toThrow('is the metadata of an issuer other than GEMINI_MCP_OAUTH_ISSUER');
  });

  it('refuses the metadata of the same issuer with an extra slash', async () => {
    publish(first, { issuer: `${issuer.issuer}/`, jwks_uri: 'https://keys.example/set' });
    await expect(discover()).rejects.toThrow('is the metadata of an issuer other than GEMINI_MCP_OAUTH_ISSUER');
  });

  it.each([
    'http://keys.example/set',
    'http://10.0.0.1/set',
    'file:///etc/passwd',
    'data:application/json,{}',
    '/jwks',
    '',
  ])('takes no keys from %j', async (address) => {
    publish(first, { issuer: issuer.issuer, jwks_uri: address });
    await expect(discover()).rejects.toThrow('its jwks_uri is not an https address');
  });

  it('follows no redirect', async () => {
    publish(first, {}, 302);
    publish('/elsewhere', { issuer: issuer.issuer, jwks_uri: 'https://keys.example/set' });
    await expect(discover()).rejects.toThrow('answered with the status 302');
    expect(issuer.asked).not.toContain('/elsewhere');
  });

  it('stops reading at the limit', async () => {
    publish(first, { issuer: issuer.issuer, jwks_uri: 'https://keys.example/set', filler: 'x'.repeat(300_000) });
    await expect(discover()).rejects.toThrow('sent more than 262144 bytes');
  });

  it('tries only one address if no server answers', async () => {
    const asked: string[] = [];
    const failing = (url: string): Promise<Response> => {
      asked.push(url);
      return Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
    };
    await expect(discoverKeySetUrl(issuer.issuer, failing)).rejects.toThrow('fetch failed (connect ECONNREFUSED)');
    expect(asked).toHaveLength(1);
  });
});

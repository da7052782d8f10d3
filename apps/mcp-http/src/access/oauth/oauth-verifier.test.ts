import { createHmac } from 'node:crypto';
import { ConfigurationError } from '@gemini-mcp/server';
import {
  base64url,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { principalOwner } from '../principal-owner.ts';
import { startTestIssuer, type TestIssuer } from '../testing/test-issuer.ts';
import { OAuthVerifier } from './oauth-verifier.ts';

const audience = 'https://gemini.example.com/mcp';
const nowMs = 1_800_000_000_000;
const nowSeconds = nowMs / 1_000;
const clock = { now: () => nowMs };

let issuer: TestIssuer;
let verifier: OAuthVerifier;
let good: JWTPayload;

beforeAll(async () => {
  issuer = await startTestIssuer();
  good = { iss: issuer.issuer, aud: audience, sub: 'alice', exp: nowSeconds + 300, scope: 'gemini:query' };
  verifier = new OAuthVerifier({ issuer: issuer.issuer, audience, clock });
});

afterAll(() => issuer.close());

async function verdictOf(token: string | Promise<string>): Promise<string> {
  return (await verifier.verify(await token)).kind;
}

async function scopesOf(claims: JWTPayload): Promise<readonly string[] | null> {
  const verdict = await verifier.verify(await issuer.sign({ ...good, scope: undefined, ...claims }));
  return verdict.kind === 'valid' ? [...verdict.principal.scopes] : null;
}

describe('a token that is right', () => {
  it('is its subject, who owns the same after a restart', async () => {
    expect(await verifier.verify(await issuer.sign(good))).toEqual({
      kind: 'valid',
      principal: {
        name: 'oauth:alice',
        owner: principalOwner('oauth', issuer.issuer, 'alice'),
        scopes: new Set(['gemini:query']),
        roots: null,
      },
    });
  });

  it.each(['RS256', 'ES256', 'EdDSA'])('may be signed with %s', async (alg) => {
    expect(await verdictOf(issuer.sign(good, { alg }))).toBe('valid');
  });

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', undefined])('may have the type %s', async (typ) => {
    expect(await verdictOf(issuer.sign(good, typ === undefined ? {} : { typ }))).toBe('valid');
  });

  it('may be 30 seconds past its end, or before its begin: clocks differ', async () => {
    expect(await verdictOf(issuer.sign({ ...good, exp: nowSeconds - 29 }))).toBe('valid');
    expect(await verdictOf(issuer.sign({ ...good, nbf: nowSeconds + 29 }))).toBe('valid');
  });

  it('has its scopes in scope or in scp, those of others left out', async () => {
    expect(await scopesOf({ scope: 'openid gemini:chat gemini:files' })).toEqual(['gemini:chat', 'gemini:files']);
    expect(await scopesOf({ scp: ['gemini:search', 'gemini:shell'] })).toEqual(['gemini:search']);
    expect(await scopesOf({ scp: 'gemini:query gemini:search' })).toEqual(['gemini:query', 'gemini:search']);
    expect(await scopesOf({ scope: 'gemini:chat', scp: ['gemini:files'] })).toEqual(['gemini:chat']);
    expect(await scopesOf({ scope: 'GEMINI:QUERY gemini:query/x' })).toEqual([]);
    expect(await scopesOf({})).toEqual([]);
    expect(await scopesOf({ scope: ['gemini:query'] })).toBeNull();
    expect(await scopesOf({ scp: { 'gemini:query': true } })).toBeNull();
  });

  it.each([
    ['as one line', 'a\n\u202eb', 'oauth:a\\u{a}\\u{202e}b'],
    ['as nobody else', 'local', 'oauth:local'],
  ])('shows a subject %s', async (_, sub, name) => {
    const verdict = await verifier.verify(await issuer.sign({ ...good, sub }));
    expect(verdict.kind === 'valid' && verdict.principal.name).toBe(name);
  });
});

describe('HTTP-21', () => {
  it('takes an audience among others', async () => {
    expect(await verdictOf(issuer.sign({ ...good, aud: ['https://other.example.com', audience] }))).toBe('valid');
  });

  it.each([
    ['for another audience', { aud: 'https://gemini.example.com/' }],
    ['for other audiences', { aud: ['https://gemini.example.com', 'https://gemini.example.com/mcp/'] }],
    ['for an audience in the wrong form', { aud: { [audience]: true } }],
    ['for nobody', { aud: [] }],
    ['without an audience', { aud: undefined }],
    ['of another issuer', { iss: 'https://evil.com' }],
    ['of an issuer with a slash more', { iss: 'http://127.0.0.1/' }],
    ['without an issuer', { iss: undefined }],
    ['without an end', { exp: undefined }],
    ['with an end that is no number', { exp: '9999999999' }],
    ['that is not valid yet', { nbf: nowSeconds + 31 }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject longer than any', { sub: 'a'.repeat(256) }],
    ['bound to a key that nobody has shown', { cnf: { jkt: 'x' } }],
  ])('refuses a token %s', async (_, claims) => {
    expect(await verdictOf(issuer.sign(JSON.parse(JSON.stringify({ ...good, ...claims }))))).toBe('invalid');
  });

  it('says that a token has expired, so that a client gets another', async () => {
    expect(await verdictOf(issuer.sign({ ...good, exp: nowSeconds - 30 }))).toBe('expired');
    expect(await verdictOf(issuer.sign({ ...good, exp: 0 }))).toBe('expired');
  });

  it.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'id_token', ''])('refuses the type %j', async (typ) => {
    expect(await verdictOf(issuer.sign(good, { typ }))).toBe('invalid');
  });

  it.each([{ nonce: 'x' }, { at_hash: 'x' }, { c_hash: 'x' }, { s_hash: 'x' }, { typ: 'ID' }, { token_use: 'id' }])(
    'refuses an ID token, which %j tells',
    async (claim) => {
      expect(await verdictOf(issuer.sign({ ...good, ...claim }, { typ: 'JWT' }))).toBe('invalid');
      expect(await verdictOf(issuer.sign({ ...good, ...claim }))).toBe('invalid');
      expect(await verdictOf(issuer.sign({ ...good, ...claim }, { typ: 'at+jwt' }))).toBe('valid');
    },
  );

  it('refuses alg none, in any case', async () => {
    const unsigned = new UnsecuredJWT(good).encode();
    expect(await verdictOf(unsigned)).toBe('invalid');
    for (const alg of ['none', 'None', 'NONE', 'nOnE']) {
      const header = base64url.encode(JSON.stringify({ alg, kid: 'rsa' }));
      expect(await verdictOf(`${header}.${unsigned.split('.')[1]}.`)).toBe('invalid');
    }
  });

  it('refuses HS256 with the public key of the issuer as the secret', async () => {
    const pem = await exportSPKI(await importPublicKey());
    for (const secret of [pem, pem.trim(), JSON.stringify(issuer.publicKey), issuer.publicKey.n ?? '']) {
      const head = base64url.encode(JSON.stringify({ alg: 'HS256', kid: 'rsa', typ: 'at+jwt' }));
      const signed = `${head}.${base64url.encode(JSON.stringify(good))}`;
      const signature = createHmac('sha256', secret).update(signed).digest('base64url');
      expect(await verdictOf(`${signed}.${signature}`)).toBe('invalid');
    }
  });

  it.each([
    { kid: '../../../../dev/null' },
    { kid: 'file:///dev/null' },
    { kid: "x' UNION SELECT 'key" },
    { kid: '' },
    { kid: 'unknown' },
  ])('finds no key by the id $kid', async (header) => {
    expect(await verdictOf(issuer.sign(good, header))).toBe('invalid');
  });

  it('asks nobody whom a token names, and takes no key that it brings', async () => {
    const thief = await startTestIssuer();
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const jwk = await exportJWK(publicKey);
    thief.answers.set('/jwks', { status: 200, body: { keys: [{ ...jwk, kid: 'rsa' }] } });
    const forge = (header: object): Promise<string> =>
      new SignJWT(good).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey);
    for (const header of [
      { kid: 'rsa', jku: `${thief.issuer}/jwks` },
      { kid: 'rsa', x5u: `${thief.issuer}/jwks` },
      { kid: 'rsa', jwk },
      { kid: `${thief.issuer}/jwks` },
      { jwk },
    ]) {
      expect(await verdictOf(forge(header))).toBe('invalid');
    }
    expect(thief.asked).toEqual([]);
    await thief.close();
  });

  it('ignores what a rightly signed token says of where keys are', async () => {
    expect(await verdictOf(issuer.sign(good, { jku: 'https://evil.com/jwks' }))).toBe('valid');
  });

  it('refuses what it is told to understand and does not', async () => {
    const token = await issuer.sign(good);
    const payload = token.split('.')[1];
    for (const header of [
      { alg: 'RS256', kid: 'rsa', crit: ['exp'], exp: 1 },
      { alg: 'RS256', kid: 'rsa', crit: [] },
      { alg: 'RS256', kid: 'rsa', crit: ['b64'], b64: false },
    ]) {
      expect(await verdictOf(`${base64url.encode(JSON.stringify(header))}.${payload}.${token.split('.')[2]}`)).toBe(
        'invalid',
      );
    }
  });

  it('refuses a token that was changed', async () => {
    const [header, payload, signature] = (await issuer.sign(good)).split('.');
    const other = base64url.encode(JSON.stringify({ ...good, sub: 'bob' }));
    expect(await verdictOf(`${header}.${other}.${signature}`)).toBe('invalid');
    expect(await verdictOf(`${header}.${payload}.`)).toBe('invalid');
    expect(await verdictOf(`${header}.${payload}`)).toBe('invalid');
    expect(await verdictOf(`${header}.${payload}.${signature}.x`)).toBe('invalid');
  });

  it.each(['', '.', '..', 'a.b.c', 'opaque-token', 'e30.e30.e30'])('refuses %j', async (token) => {
    expect(await verdictOf(token)).toBe('invalid');
  });
});

describe('the issuer', () => {
  let other: TestIssuer;

  beforeEach(async () => {
    other = await startTestIssuer();
    return () => other.close();
  });

  const tokenOf = (from: TestIssuer): Promise<string> => from.sign({ ...good, iss: from.issuer });

  it('is asked for nothing by a token that is not even said to be its own, or is too long', async () => {
    const asking = new OAuthVerifier({ issuer: other.issuer, audience, clock });
    expect(await asking.verify(await issuer.sign(good))).toEqual({ kind: 'invalid' });
    expect(await asking.verify('x'.repeat(100_000))).toEqual({ kind: 'invalid' });
    expect(await asking.verify(await other.sign({ ...good, iss: other.issuer, filler: 'x'.repeat(9_000) }))).toEqual({
      kind: 'invalid',
    });
    expect(other.asked).toEqual([]);
  });

  it('is asked once for many tokens that come together', async () => {
    const asking = new OAuthVerifier({ issuer: other.issuer, audience, clock });
    const token = await tokenOf(other);
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => asking.verify(token)));
    expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['valid']));
    expect(other.asked).toEqual(['/.well-known/oauth-authorization-server', '/jwks']);
  });

  it('is not asked again and again for keys that it does not have', async () => {
    const asking = new OAuthVerifier({ issuer: other.issuer, audience, clock });
    for (let index = 0; index < 10; index += 1) {
      const token = await other.sign({ ...good, iss: other.issuer }, { kid: `unknown-${index}` });
      expect(await asking.verify(token)).toEqual({ kind: 'invalid' });
    }
    expect(other.asked).toEqual(['/.well-known/oauth-authorization-server', '/jwks']);
  });

  it('is left alone for ten seconds after a failure, which says nothing against the token, and asked again then', async () => {
    let time = nowMs;
    const failures: string[] = [];
    const asking = new OAuthVerifier({
      issuer: other.issuer,
      audience,
      clock: { now: () => time },
      onIssuerFailure: (reason) => failures.push(reason),
    });
    const token = await tokenOf(other);
    const keys = other.answers.get('/jwks') ?? { status: 200, body: {} };
    other.answers.set('/jwks', { status: 500, body: {} });
    for (let index = 0; index < 5; index += 1) {
      expect(await asking.verify(token)).toEqual({ kind: 'unavailable', retryAfterSeconds: 10 });
    }
    expect(other.asked.filter((path) => path === '/jwks')).toHaveLength(1);
    expect(failures).toEqual([`${other.issuer}/jwks: answered with the status 500`]);
    other.answers.set('/jwks', keys);
    time += 9_999;
    expect(await asking.verify(token)).toMatchObject({ kind: 'unavailable' });
    time += 1;
    expect(await asking.verify(token)).toMatchObject({ kind: 'valid' });
  });

  it('is unavailable where nobody listens, and a token that cannot be right is invalid all the same', async () => {
    const token = await tokenOf(other);
    const { issuer: gone } = other;
    const asking = new OAuthVerifier({
      issuer: gone,
      audience,
      clock,
      fetch: () => Promise.reject(new TypeError('gone')),
    });
    expect(await asking.verify(token)).toEqual({ kind: 'unavailable', retryAfterSeconds: 10 });
    expect(await asking.verify('opaque-token')).toEqual({ kind: 'invalid' });
  });

  it('is unavailable with keys that are none', async () => {
    other.answers.set('/jwks', { status: 200, body: { keys: 'x' } });
    const asking = new OAuthVerifier({ issuer: other.issuer, audience, clock });
    expect(await asking.verify(await tokenOf(other))).toMatchObject({ kind: 'unavailable' });
  });

  it('may have several keys without ids: each is tried', async () => {
    const pairs = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
    const keys = await Promise.all(pairs.map(({ publicKey }) => exportJWK(publicKey)));
    other.answers.set('/jwks', { status: 200, body: { keys } });
    const asking = new OAuthVerifier({ issuer: other.issuer, audience, clock });
    const sign = (claims: JWTPayload, { privateKey }: { readonly privateKey: CryptoKey }): Promise<string> =>
      new SignJWT({ ...good, iss: other.issuer, ...claims }).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
    for (const pair of pairs) {
      expect(await asking.verify(await sign({}, pair))).toMatchObject({ kind: 'valid' });
      expect(await asking.verify(await sign({ exp: 1 }, pair))).toEqual({ kind: 'expired' });
    }
    expect(await asking.verify(await sign({}, await generateKeyPair('RS256')))).toEqual({ kind: 'invalid' });
  });

  it('is looked for once more after an hour, while its keys stay in use', async () => {
    let time = nowMs;
    const searches: string[] = [];
    const counting = (url: string, init: RequestInit): Promise<Response> => {
      if (url.includes('/.well-known/')) {
        searches.push(url);
      }
      return searches.length > 1 ? Promise.reject(new TypeError('gone')) : fetch(url, init);
    };
    const asking = new OAuthVerifier({ issuer: other.issuer, audience, clock: { now: () => time }, fetch: counting });
    const token = await other.sign({ ...good, iss: other.issuer, exp: nowSeconds + 10_000 });
    for (const { laterMs, searched } of [
      { laterMs: 0, searched: 1 },
      { laterMs: 3_599_999, searched: 1 },
      { laterMs: 1, searched: 2 },
      { laterMs: 0, searched: 2 },
    ]) {
      time += laterMs;
      expect(await asking.verify(token)).toMatchObject({ kind: 'valid' });
      expect(searches).toHaveLength(searched);
    }
  });
});

describe('OAuthVerifier', () => {
  it.each([
    'x',
    'ftp://a.example',
    'http://a.example',
    'http://127.0.0.1.evil.com',
    'https://u:p@a.example',
    'https://a.example?x',
    'https://a.example#x',
  ])('refuses %s for an issuer', (wrong) => {
    const create = (): OAuthVerifier => new OAuthVerifier({ issuer: wrong, audience });
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow('GEMINI_MCP_OAUTH_ISSUER');
  });

  it.each(['', 'gemini', 'api://gemini', 'https://a.example/mcp#x', 'https://a.example/mcp?x'])(
    'refuses %j for an audience',
    (wrong) => {
      const create = (): OAuthVerifier => new OAuthVerifier({ issuer: 'https://a.example', audience: wrong });
      expect(create).toThrow(ConfigurationError);
      expect(create).toThrow('GEMINI_MCP_OAUTH_AUDIENCE');
    },
  );
});

async function importPublicKey(): Promise<CryptoKey> {
  const key = await importJWK(issuer.publicKey, 'RS256', { extractable: true });
  if (key instanceof Uint8Array) {
    throw new Error('a public key is no secret');
  }
  return key;
}

import { createHmac } from 'node:crypto';
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
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestIssuer, type TestIssuer } from '../testing/test-issuer.ts';
import { startTestVerifier, type TestVerifier } from './testing/test-verifier.ts';
import { verifierTerms } from './testing/verifier-terms.ts';

const { audience, nowSeconds } = verifierTerms;

let issuer: TestIssuer;
let good: JWTPayload;
let verdictOf: TestVerifier['verdictOf'];

beforeAll(async () => {
  ({ issuer, good, verdictOf } = await startTestVerifier());
});

afterAll(() => issuer.close());

describe('HTTP-21', () => {
  it('accepts an audience in a list', async () => {
    expect(await verdictOf(issuer.sign({ ...good, aud: ['https://other.example.com', audience] }))).toBe('valid');
  });

  it.each([
    ['for another audience', { aud: 'https://gemini.example.com/' }],
    ['for other audiences', { aud: ['https://gemini.example.com', 'https://gemini.example.com/mcp/'] }],
    ['for an audience in the wrong form', { aud: { [audience]: true } }],
    ['for no audience', { aud: [] }],
    ['without an audience', { aud: undefined }],
    ['of another issuer', { iss: 'https://evil.com' }],
    ['of an issuer with an extra slash', { iss: 'http://127.0.0.1/' }],
    ['without an issuer', { iss: undefined }],
    ['without an end', { exp: undefined }],
    ['with an end that is not a number', { exp: '9999999999' }],
    ['that is not valid yet', { nbf: nowSeconds + 31 }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject that is too long', { sub: 'a'.repeat(256) }],
    ['bound to a key that the caller has not shown', { cnf: { jkt: 'x' } }],
  ])('refuses a token %s', async (_, claims) => {
    expect(await verdictOf(issuer.sign(JSON.parse(JSON.stringify({ ...good, ...claims }))))).toBe('invalid');
  });

  it('reports an expired token as expired, so that a client gets another', async () => {
    expect(await verdictOf(issuer.sign({ ...good, exp: nowSeconds - 30 }))).toBe('expired');
    expect(await verdictOf(issuer.sign({ ...good, exp: 0 }))).toBe('expired');
  });

  it.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'id_token', ''])('refuses the type %j', async (typ) => {
    expect(await verdictOf(issuer.sign(good, { typ }))).toBe('invalid');
  });

  it.each([{ nonce: 'x' }, { at_hash: 'x' }, { c_hash: 'x' }, { s_hash: 'x' }, { typ: 'ID' }, { token_use: 'id' }])(
    'refuses an ID token, recognised by %j',
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

  it('fetches from no server that a token names, and uses no key inside it', async () => {
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

  it('ignores key locations in a correctly signed token', async () => {
    expect(await verdictOf(issuer.sign(good, { jku: 'https://evil.com/jwks' }))).toBe('valid');
  });

  it('refuses an unknown critical header', async () => {
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

async function importPublicKey(): Promise<CryptoKey> {
  const key = await importJWK(issuer.publicKey, 'RS256', { extractable: true });
  if (key instanceof Uint8Array) {
    throw new Error('a public key is not a secret');
  }
  return key;
}

import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { base64url, exportJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestIssuer, type TestIssuer } from '../testing/test-issuer.ts';
import { OAuthVerifier } from './oauth-verifier.ts';
import { startTestVerifier, type TestVerifier } from './testing/test-verifier.ts';
import { verifierTerms } from './testing/verifier-terms.ts';

const { audience, clock, nowSeconds } = verifierTerms;

let issuer: TestIssuer;
let good: JWTPayload;
let verdictOf: TestVerifier['verdictOf'];

beforeAll(async () => {
  ({ issuer, good, verdictOf } = await startTestVerifier());
});

afterAll(() => issuer.close());

/** Created once: a key takes a tenth of a second and more. */
const strong = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** A token signed by an RS256 key that libraries refuse to sign with. */
function signByHand(privateKey: KeyObject, claims: object, header: object = {}): string {
  const parts = [{ alg: 'RS256', kid: 'weak', ...header }, claims].map((part) =>
    base64url.encode(JSON.stringify(part)),
  );
  return `${parts.join('.')}.${createSign('RSA-SHA256').update(parts.join('.')).sign(privateKey).toString('base64url')}`;
}

/** The verdict on a token of an issuer with only these keys. */
async function verdictWithKeys(keys: unknown, token: (iss: string) => string | Promise<string>): Promise<string> {
  const other = await startTestIssuer();
  other.answers.set('/jwks', { status: 200, body: { keys } });
  const verifier = new OAuthVerifier({ issuer: other.issuer, audience, clock });
  const { kind } = await verifier.verify(await token(other.issuer));
  await other.close();
  return kind;
}

describe('ACCESS-03: an invalid time', () => {
  const signRaw = async (claims: string): Promise<string> => {
    // JSON text that no object serialises to: the test issuer signs only objects.
    const { privateKey, publicKey } = strong;
    const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'weak' }];
    return verdictWithKeys(keys, (iss) => {
      const rest = JSON.stringify({ ...good, iss, exp: undefined }).slice(1);
      const head = base64url.encode(JSON.stringify({ alg: 'RS256', kid: 'weak' }));
      const signed = `${head}.${base64url.encode(`{${claims},${rest}`)}`;
      return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey).toString('base64url')}`;
    });
  };

  it.each([
    '"exp":1e999',
    '"exp":9007199254740993',
    '"exp":1e300',
    `"exp":${nowSeconds + 300},"nbf":-1e999`,
    `"exp":${nowSeconds + 300},"iat":1e999`,
    '"exp":null',
    '"exp":true',
    '"exp":[1900000000]',
    '"exp":{"valueOf":1900000000}',
  ])('in %s is refused', async (claims) => {
    expect(await signRaw(claims)).toBe('invalid');
  });

  it('with a fraction of a second is valid, as RFC 7519 allows', async () => {
    expect(await signRaw(`"exp":${nowSeconds + 300}.5,"nbf":${nowSeconds}.25`)).toBe('valid');
  });
});

describe('ACCESS-04: another form of a valid token', () => {
  it.each([
    ['with padding at its end', (token: string) => `${token}==`],
    ['with one sign of padding', (token: string) => `${token}=`],
    [
      'with padding in every part',
      (token: string) =>
        token
          .split('.')
          .map((part) => `${part}=`)
          .join('.'),
    ],
    ['in the other alphabet', (token: string) => token.replaceAll('-', '+').replaceAll('_', '/')],
    ['with nonzero unused bits', flipTrailingBit],
    ['with a part more', (token: string) => `${token}.`],
    ['with spaces', (token: string) => `${token} `],
    ['with a line break in it', (token: string) => token.replace('.', '.\n')],
    ['with a null', (token: string) => `${token}\u0000`],
  ])('%s is refused', async (_, change) => {
    const token = await signWithAllCharacters();
    expect(await verdictOf(token)).toBe('valid');
    expect(change(token)).not.toBe(token);
    expect(await verdictOf(change(token))).toBe('invalid');
  });

  /** A token whose signature has a character that the two alphabets write differently. */
  async function signWithAllCharacters(): Promise<string> {
    for (let jti = 0; jti < 100; jti += 1) {
      const token = await issuer.sign({ ...good, jti: String(jti) });
      if (/[-_]/.test(token.split('.')[2] ?? '')) {
        return token;
      }
    }
    throw new Error('such a token exists');
  }

  /** The last character of a signature of 256 bytes has four bits too many. */
  function flipTrailingBit(token: string): string {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return `${token.slice(0, -1)}${alphabet[alphabet.indexOf(token.slice(-1)) + 1] ?? ''}`;
  }
});

describe('ACCESS-05: a key that must not verify', () => {
  const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 });
  const weakKey: JWK = { ...weak.publicKey.export({ format: 'jwk' }), kid: 'weak' };

  it.each([
    ['of RSA with 1,024 bits', [weakKey]],
    ['of RSA with 1,024 bits, twice under one id', [weakKey, weakKey]],
    ['whose numbers are invalid', [{ kty: 'RSA', kid: 'weak', n: '!', e: '!' }]],
    ['without its numbers', [{ kty: 'RSA', kid: 'weak' }]],
    ['that is private', [{ ...weak.privateKey.export({ format: 'jwk' }), kid: 'weak' }]],
    ['that is a shared secret', [{ kty: 'oct', kid: 'weak', k: base64url.encode('x'.repeat(64)) }]],
    ['for encryption', [{ ...weakKey, use: 'enc' }]],
    ['for signing alone', [{ ...weakKey, key_ops: ['sign'] }]],
    ['on no curve', [{ kty: 'EC', kid: 'weak', crv: 'P-192', x: 'AA', y: 'AA' }]],
  ])('%s makes a token invalid, so that it counts as wrong', async (_, keys) => {
    expect(await verdictWithKeys(keys, (iss) => signByHand(weak.privateKey, { ...good, iss }))).toBe('invalid');
  });

  it.each([
    ['for encryption', { use: 'enc' }],
    ['for signing alone', { key_ops: ['sign'] }],
    ['for another algorithm', { alg: 'RS512' }],
  ])('that is long enough, but %s, verifies nothing', async (_, members) => {
    const { privateKey, publicKey } = strong;
    const sign = (iss: string): Promise<string> =>
      new SignJWT({ ...good, iss }).setProtectedHeader({ alg: 'RS256', kid: 'strong' }).sign(privateKey);
    const key = { ...(await exportJWK(publicKey)), kid: 'strong' };
    expect(await verdictWithKeys([key], sign)).toBe('valid');
    expect(await verdictWithKeys([{ ...key, ...members }], sign)).toBe('invalid');
  });

  it('leaves a valid key with the same id in use', async () => {
    const { privateKey, publicKey } = strong;
    const key = { ...(await exportJWK(publicKey)), kid: 'weak' };
    const sign = (iss: string): Promise<string> =>
      new SignJWT({ ...good, iss }).setProtectedHeader({ alg: 'RS256', kid: 'weak' }).sign(privateKey);
    expect(await verdictWithKeys([weakKey, key], sign)).toBe('valid');
  });

  it('of 2,000 without ids: a token costs at most sixteen tries', async () => {
    const { privateKey, publicKey } = strong;
    const thief = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const key = await exportJWK(generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey);
    const keys = [...Array.from({ length: 2_000 }, () => key), await exportJWK(publicKey)];
    expect(
      await verdictWithKeys(keys, (iss) => signByHand(thief.privateKey, { ...good, iss }, { kid: undefined })),
    ).toBe('invalid');
    const sign = (iss: string): Promise<string> =>
      new SignJWT({ ...good, iss }).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
    expect(await verdictWithKeys(keys, sign)).toBe('invalid');
  });

  it.each([{}, [], 'x', { keys: {} }, { keys: [1] }, { keys: [null] }, null])(
    'in an invalid key set (%j) does not decide a token',
    async (body) => {
      const other = await startTestIssuer();
      other.answers.set('/jwks', { status: 200, body });
      const verifier = new OAuthVerifier({ issuer: other.issuer, audience, clock });
      const token = await other.sign({ ...good, iss: other.issuer });
      expect(await verifier.verify(token)).toMatchObject({ kind: 'unavailable' });
      await other.close();
    },
  );
});

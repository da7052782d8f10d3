import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestIssuer, type TestIssuer } from '../testing/test-issuer.ts';
import { OAuthVerifier } from './oauth-verifier.ts';
import { startTestVerifier } from './testing/test-verifier.ts';
import { verifierTerms } from './testing/verifier-terms.ts';

const { audience, nowMs, nowSeconds, clock } = verifierTerms;

let issuer: TestIssuer;
let good: JWTPayload;

beforeAll(async () => {
  ({ issuer, good } = await startTestVerifier());
});

afterAll(() => issuer.close());

describe('the issuer', () => {
  let other: TestIssuer;

  beforeEach(async () => {
    other = await startTestIssuer();
    return () => other.close();
  });

  const tokenOf = (from: TestIssuer): Promise<string> => from.sign({ ...good, iss: from.issuer });

  it('gets no request for a token of another issuer or one that is too long', async () => {
    const asking = new OAuthVerifier({ issuer: other.issuer, audience, clock });
    expect(await asking.verify(await issuer.sign(good))).toEqual({ kind: 'invalid' });
    expect(await asking.verify('x'.repeat(100_000))).toEqual({ kind: 'invalid' });
    expect(await asking.verify(await other.sign({ ...good, iss: other.issuer, filler: 'x'.repeat(9_000) }))).toEqual({
      kind: 'invalid',
    });
    expect(other.asked).toEqual([]);
  });

  it('gets one request for many tokens at once', async () => {
    const asking = new OAuthVerifier({ issuer: other.issuer, audience, clock });
    const token = await tokenOf(other);
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => asking.verify(token)));
    expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['valid']));
    expect(other.asked).toEqual(['/.well-known/oauth-authorization-server', '/jwks']);
  });

  it('is not asked repeatedly for missing keys', async () => {
    const asking = new OAuthVerifier({ issuer: other.issuer, audience, clock });
    for (let index = 0; index < 10; index += 1) {
      const token = await other.sign({ ...good, iss: other.issuer }, { kid: `unknown-${index}` });
      expect(await asking.verify(token)).toEqual({ kind: 'invalid' });
    }
    expect(other.asked).toEqual(['/.well-known/oauth-authorization-server', '/jwks']);
  });

  it('is left alone for ten seconds after a failure, which does not invalidate the token, and then asked again', async () => {
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

  it('is unavailable if no server listens, while an impossible token is still invalid', async () => {
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

  it('is unavailable with an invalid key set', async () => {
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

  it('is looked up again after an hour, while its keys stay in use', async () => {
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

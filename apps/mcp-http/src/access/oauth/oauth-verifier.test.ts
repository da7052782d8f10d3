import { ConfigurationError } from '@gemini-mcp/server';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { principalOwner } from '../principal.ts';
import type { TestIssuer } from '../testing/test-issuer.ts';
import { OAuthVerifier } from './oauth-verifier.ts';
import { startTestVerifier, type TestVerifier } from './testing/test-verifier.ts';
import { verifierTerms } from './testing/verifier-terms.ts';

const { audience, nowSeconds } = verifierTerms;

let issuer: TestIssuer;
let good: JWTPayload;
let verifier: OAuthVerifier;
let verdictOf: TestVerifier['verdictOf'];

beforeAll(async () => {
  ({ issuer, good, verifier, verdictOf } = await startTestVerifier());
});

afterAll(() => issuer.close());

async function scopesOf(claims: JWTPayload): Promise<readonly string[] | null> {
  const verdict = await verifier.verify(await issuer.sign({ ...good, scope: undefined, ...claims }));
  return verdict.kind === 'valid' ? [...verdict.principal.scopes] : null;
}

describe('a valid token', () => {
  it('has a subject, which has the same owner after a restart', async () => {
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

  it('may be 30 seconds past its end or before its start: clocks differ', async () => {
    expect(await verdictOf(issuer.sign({ ...good, exp: nowSeconds - 29 }))).toBe('valid');
    expect(await verdictOf(issuer.sign({ ...good, nbf: nowSeconds + 29 }))).toBe('valid');
  });

  it('has its scopes in scope or in scp, without unknown ones', async () => {
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
    ['as no other principal', 'local', 'oauth:local'],
  ])('shows a subject %s', async (_, sub, name) => {
    const verdict = await verifier.verify(await issuer.sign({ ...good, sub }));
    expect(verdict.kind === 'valid' && verdict.principal.name).toBe(name);
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

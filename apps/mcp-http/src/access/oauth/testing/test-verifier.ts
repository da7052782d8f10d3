import type { JWTPayload } from 'jose';
import { startTestIssuer, type TestIssuer } from '../../testing/test-issuer.ts';
import { OAuthVerifier } from '../oauth-verifier.ts';
import { verifierTerms } from './verifier-terms.ts';

export type TestVerifier = {
  readonly issuer: TestIssuer;
  /** The claims of a valid token. */
  readonly good: JWTPayload;
  readonly verifier: OAuthVerifier;
  /** The kind of verdict on a token. */
  readonly verdictOf: (token: string | Promise<string>) => Promise<string>;
};

/** An issuer, which its test closes, and a verifier of its tokens. */
export async function startTestVerifier(): Promise<TestVerifier> {
  const { audience, nowSeconds, clock } = verifierTerms;
  const issuer = await startTestIssuer();
  const verifier = new OAuthVerifier({ issuer: issuer.issuer, audience, clock });
  return {
    issuer,
    good: { iss: issuer.issuer, aud: audience, sub: 'alice', exp: nowSeconds + 300, scope: 'gemini:query' },
    verifier,
    verdictOf: async (token) => (await verifier.verify(await token)).kind,
  };
}

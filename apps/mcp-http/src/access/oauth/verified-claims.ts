import type { Scope } from '@gemini-mcp/mcp/internal/declarations';
import type { JWTPayload, JWTVerifyResult } from 'jose';
import * as z from 'zod';
import { isScope } from '../required-scopes.ts';

export type VerifiedClaims = {
  readonly subject: string;
  readonly scopes: ReadonlySet<Scope>;
};

/** As OpenID Connect has it. */
export const maxSubjectCharacters = 255;

/** Seconds since 1970. JSON can say 1e999, which is no time and would never be over. */
const time = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** Scopes are `scope` in RFC 9068, one text, and `scp` at older issuers, a list or a text. Others' words are left out. */
const claims = z.object({
  exp: time,
  nbf: time.optional(),
  iat: time.optional(),
  sub: z.string().min(1).max(maxSubjectCharacters),
  scope: z.string().optional(),
  scp: z.union([z.string(), z.array(z.string())]).optional(),
});

/** What a token whose signature, issuer, audience and times are right says; null where it is no access token for a bearer. */
export function readVerifiedClaims({ protectedHeader, payload }: JWTVerifyResult): VerifiedClaims | null {
  if (!isAccessToken(protectedHeader.typ, payload) || 'cnf' in payload) {
    // `cnf` binds a token to a key of its client. Taken without a proof of that key, it would be worth as much to a thief.
    return null;
  }
  const read = claims.safeParse(payload);
  if (!read.success) {
    return null;
  }
  const { sub, scope, scp } = read.data;
  const granted = scope ?? scp ?? [];
  const words = typeof granted === 'string' ? granted.split(' ') : granted;
  return { subject: sub, scopes: new Set(words.filter(isScope)) };
}

const onlyInIdTokens = ['nonce', 'at_hash', 'c_hash', 's_hash'];

/**
 * RFC 9068 has access tokens say what they are (`at+jwt`). Many issuers do not: their type is `JWT` or missing, as in ID
 * tokens. Those are for the client and not for us. Their audience, the client's id, tells them apart, unless an operator has
 * made that the audience here as well; so whatever only ID tokens have, by OpenID Connect, Keycloak or Cognito, speaks against.
 * All other types (`logout+jwt`, `dpop+jwt`) have a purpose of their own.
 */
function isAccessToken(type: unknown, payload: JWTPayload): boolean {
  const name = String(type ?? 'jwt').toLowerCase();
  if (name === 'at+jwt' || name === 'application/at+jwt') {
    return true;
  }
  if (name !== 'jwt' && name !== 'application/jwt') {
    return false;
  }
  return !(
    onlyInIdTokens.some((claim) => claim in payload) ||
    payload['typ'] === 'ID' ||
    payload['token_use'] === 'id'
  );
}

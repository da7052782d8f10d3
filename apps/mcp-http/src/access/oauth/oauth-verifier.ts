import type { Clock } from '@gemini-mcp/core';
import { escapeName } from '@gemini-mcp/core/internal';
import type { Scope } from '@gemini-mcp/mcp/internal/declarations';
import {
  type CryptoKey,
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyResult,
  jwtVerify,
  type RemoteJWKSet,
} from 'jose';
import * as z from 'zod';
import { type Principal, principalOwner } from '../principal.ts';
import { isScope } from '../required-scopes.ts';
import { type Fetch, IssuerKeys, IssuerUnavailable } from './issuer-keys.ts';
import { checkProtectedResource, type ProtectedResource } from './protected-resource.ts';

export type OAuthVerifierOptions = ProtectedResource & {
  readonly clock?: Pick<Clock, 'now'>;
  readonly fetch?: Fetch;
  /** Told why the issuer could not be asked, once each time that it was asked. */
  readonly onIssuerFailure?: (reason: string) => void;
};

/** `unavailable` says nothing about the token: the issuer, who could tell, cannot be reached. */
export type TokenVerdict =
  | { readonly kind: 'valid'; readonly principal: Principal }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unavailable'; readonly retryAfterSeconds: number };

/** Public keys only: with a shared secret among them, the public key of the issuer could be used as one. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const coolDownSeconds = 10;
const clockToleranceSeconds = 30;

/** More than any issuer has at one time that gives its keys no ids. */
const maxTriedKeys = 16;

/** Longer ones are not looked at: what is to be verified must be read first. */
const maxTokenCharacters = 8_192;

/**
 * Verifies access tokens that one issuer has made for this server. What a token says of where keys are (`jku`, `x5u`, `kid`,
 * `jwk`) is never followed. Throws a `ConfigurationError` when the issuer or the audience cannot be one.
 */
export class OAuthVerifier {
  readonly resource: ProtectedResource;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #keys: IssuerKeys;

  constructor({ issuer, audience, clock = Date, fetch = globalThis.fetch, onIssuerFailure }: OAuthVerifierOptions) {
    this.resource = { issuer, audience };
    checkProtectedResource(this.resource);
    this.#clock = clock;
    const coolDownMs = coolDownSeconds * 1_000;
    this.#keys = new IssuerKeys({ issuer, clock, fetch, coolDownMs, onFailure: onIssuerFailure ?? (() => undefined) });
  }

  /** Never rejects. */
  async verify(token: string): Promise<TokenVerdict> {
    if (token.length > maxTokenCharacters || !isCompactJwt(token) || !claimsToBeOf(this.resource.issuer, token)) {
      return { kind: 'invalid' };
    }
    try {
      return this.#judge(await this.#verify(token, await this.#keys.find()));
    } catch (error) {
      return judgeError(error);
    }
  }

  #judge(verified: JWTVerifyResult): TokenVerdict {
    const claims = readVerifiedClaims(verified);
    if (claims === null) {
      return { kind: 'invalid' };
    }
    const { subject, scopes } = claims;
    const owner = principalOwner('oauth', this.resource.issuer, subject);
    // No other principal has a colon in its name: a subject that is called `local` is not taken for the operator.
    const name = `oauth:${escapeName(subject)}`;
    return { kind: 'valid', principal: { name, owner, scopes, roots: null } };
  }

  async #verify(token: string, keys: RemoteJWKSet): Promise<JWTVerifyResult> {
    const options = {
      ...this.resource,
      algorithms,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(this.#clock.now()),
    };
    try {
      return await jwtVerify(token, keys, options);
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) {
        throw error;
      }
      return verifyWithAny(error, (key) => jwtVerify(token, key, options));
    }
  }
}

/** Cheap and without trust: what does not even say that it is of this issuer costs no request and no signature. */
function claimsToBeOf(issuer: string, token: string): boolean {
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

/** Keys without ids cannot be told apart but by trying. Anybody can have them tried, so that only few are. */
async function verifyWithAny(
  keys: AsyncIterable<CryptoKey>,
  verify: (key: CryptoKey) => Promise<JWTVerifyResult>,
): Promise<JWTVerifyResult> {
  let tried = 0;
  for await (const key of keys) {
    try {
      return await verify(key);
    } catch (error) {
      // A key that cannot be used, such as one of RSA with 1,024 bits, says nothing about the next one.
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWSSignatureVerificationFailed)) {
        throw error;
      }
    }
    tried += 1;
    if (tried >= maxTriedKeys) {
      break;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

/**
 * Only an issuer that cannot be asked, or has no set of keys, leaves a token undecided. A key in its set that cannot be used (too
 * short, damaged, private) verifies nothing: what names it is as wrong as any other token.
 */
function judgeError(error: unknown): TokenVerdict {
  if (error instanceof errors.JWTExpired) {
    return { kind: 'expired' };
  }
  const isUndecided = error instanceof IssuerUnavailable || error instanceof errors.JWKSTimeout;
  return isUndecided ? { kind: 'unavailable', retryAfterSeconds: coolDownSeconds } : { kind: 'invalid' };
}

/**
 * Whether a text is a signed JWT in the one form that RFC 7515 has for it: three parts in base64url, without padding, without
 * other characters, and without bits that stand for nothing. Decoders accept more, so that one token would have many forms.
 */
function isCompactJwt(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 3 && parts.every((part) => part !== '' && isBase64Url(part));
}

function isBase64Url(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}

type VerifiedClaims = {
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
function readVerifiedClaims({ protectedHeader, payload }: JWTVerifyResult): VerifiedClaims | null {
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

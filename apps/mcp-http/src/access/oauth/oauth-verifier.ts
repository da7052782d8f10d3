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
  /** Receives the reason of each failed request to the issuer. */
  readonly onIssuerFailure?: (reason: string) => void;
};

/** `unavailable`: the issuer cannot be reached, so the token may be valid or not. */
export type TokenVerdict =
  | { readonly kind: 'valid'; readonly principal: Principal }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unavailable'; readonly retryAfterSeconds: number };

/** Public key algorithms only. With HS256, the issuer's public key would work as a shared secret. */
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

/** More keys than any issuer without key ids uses at one time. */
const maxTriedKeys = 16;

/** Longer tokens are refused, because a token must be parsed before it can be verified. */
const maxTokenCharacters = 8_192;

/**
 * Verifies access tokens of one issuer for this server. Never follows a key location in a token (`jku`, `x5u`, `kid`, `jwk`). Throws a
 * `ConfigurationError` if issuer or audience are invalid.
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
    // No other principal has a colon in its name, so a subject `local` cannot pass for the operator.
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

/** Reads the unverified issuer, so that tokens of other issuers cost no request and no signature check. */
function claimsToBeOf(issuer: string, token: string): boolean {
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

/** Keys without ids have to be tried one by one. Anybody can send tokens, so the number of tries is bounded. */
async function verifyWithAny(
  keys: AsyncIterable<CryptoKey>,
  verify: (key: CryptoKey) => Promise<JWTVerifyResult>,
): Promise<JWTVerifyResult> {
  let tried = 0;
  for await (const key of keys) {
    try {
      return await verify(key);
    } catch (error) {
      // After an unusable key, such as RSA with 1,024 bits, the next one may still verify the token.
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
 * The verdict is `unavailable` only if the issuer cannot be reached or has no key set. A token that names an unusable key (too short,
 * damaged, private) is invalid.
 */
function judgeError(error: unknown): TokenVerdict {
  if (error instanceof errors.JWTExpired) {
    return { kind: 'expired' };
  }
  const isUndecided = error instanceof IssuerUnavailable || error instanceof errors.JWKSTimeout;
  return isUndecided ? { kind: 'unavailable', retryAfterSeconds: coolDownSeconds } : { kind: 'invalid' };
}

/**
 * Whether a text is a signed JWT in the canonical form of RFC 7515: three parts in base64url without padding, other characters or nonzero
 * trailing bits. Decoders accept more, so one token would have many forms.
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

/** The limit of OpenID Connect. */
export const maxSubjectCharacters = 255;

/** Seconds since 1970. JSON allows 1e999, which would never expire. */
const time = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** RFC 9068 has the string `scope`; older issuers have `scp`, a list or a string. Unknown scopes are ignored. */
const claims = z.object({
  exp: time,
  nbf: time.optional(),
  iat: time.optional(),
  sub: z.string().min(1).max(maxSubjectCharacters),
  scope: z.string().optional(),
  scp: z.union([z.string(), z.array(z.string())]).optional(),
});

/** The claims of a token whose signature, issuer, audience and times are valid; null if it is not a bearer access token. */
function readVerifiedClaims({ protectedHeader, payload }: JWTVerifyResult): VerifiedClaims | null {
  if (!isAccessToken(protectedHeader.typ, payload) || 'cnf' in payload) {
    // `cnf` binds a token to a key of its client. Accepted without a proof of that key, it would work for a thief too.
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
 * RFC 9068 gives access tokens the type `at+jwt`. Many issuers use `JWT` or no type, as in ID tokens, which are for the
 * client and not for us. The audience of an ID token is the client id, which an operator may have made the audience here as
 * well. So a claim that only ID tokens have (by OpenID Connect, Keycloak or Cognito) rules a token out. Other types
 * (`logout+jwt`, `dpop+jwt`) serve other purposes.
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

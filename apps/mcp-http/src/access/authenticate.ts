import type { IncomingMessage } from 'node:http';
import { escapeName } from '@gemini-mcp/core/internal';
import type { Log } from '@gemini-mcp/server';
import type { Context, MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { type HttpRefusal, refuse } from '../refusal.ts';
import type { FailureThrottle } from './failure-throttle.ts';
import type { OAuthVerifier, TokenVerdict } from './oauth/oauth-verifier.ts';
import { type Challenge, createChallenge } from './required-scopes.ts';
import type { StaticTokens } from './tokens/read-principals.ts';

export type AuthenticateOptions = {
  readonly staticTokens: StaticTokens;
  /** Null if OAuth is not configured. */
  readonly oauth: OAuthVerifier | null;
  readonly throttle: FailureThrottle;
  readonly log: Pick<Log, 'warn'>;
};

type Problem = Exclude<TokenVerdict['kind'], 'valid' | 'unavailable'>;

/**
 * Sets `principal` for a request with a valid token. Other requests get 401 with a challenge, 429 after too many wrong tokens from their
 * address, or 503 if the issuer cannot be reached. Does not read the body.
 */
export function authenticate(options: AuthenticateOptions): MiddlewareHandler<HttpEnv> {
  const challenge = createChallenge(options.oauth?.resource ?? null);
  return async (context, next) => {
    const bearer = readBearer(context.env.incoming);
    if (bearer.kind === 'absent') {
      return refuse(context, tokenMissing(challenge));
    }
    const verdict: TokenVerdict = bearer.kind === 'token' ? await judge(bearer.token, options) : { kind: 'invalid' };
    if (verdict.kind === 'valid') {
      context.set('principal', verdict.principal);
      context.env.noteOwner?.(verdict.principal.owner);
      return next();
    }
    if (verdict.kind === 'unavailable') {
      return refuse(context, issuerUnavailable(verdict.retryAfterSeconds));
    }
    return refuse(context, await countProblem(context, verdict.kind, { ...options, challenge }));
  };
}

/** Looks up static tokens first: that is cheap, and needs no issuer. */
async function judge(token: string, { staticTokens, oauth }: AuthenticateOptions): Promise<TokenVerdict> {
  const principal = staticTokens.find(token);
  if (principal !== null) {
    return { kind: 'valid', principal };
  }
  return oauth === null ? { kind: 'invalid' } : oauth.verify(token);
}

async function countProblem(
  context: Context<HttpEnv>,
  problem: Problem,
  { throttle, log, challenge }: AuthenticateOptions & { readonly challenge: Challenge },
): Promise<HttpRefusal> {
  const { remoteAddress } = context.env.incoming.socket;
  const { failures, retryAfterSeconds } = await throttle.countFailure(remoteAddress);
  if (isWorthALine(failures)) {
    log.warn('token-refused', { address: escapeName(remoteAddress ?? 'unknown'), problem, failuresInMinute: failures });
  }
  return retryAfterSeconds === null ? tokenWrong(problem, challenge) : tooManyWrong(retryAfterSeconds);
}

/** Logs the 1st, 10th, 100th and so on, so that a flood of guesses does not flood the log. */
function isWorthALine(failures: number): boolean {
  return Number.isInteger(Math.log10(failures));
}

function tokenMissing(challenge: Challenge): HttpRefusal {
  return {
    status: 401,
    code: 'token-missing',
    message: 'Send your token in the header "Authorization: Bearer <token>". Other places are ignored.',
    headers: { 'WWW-Authenticate': challenge() },
  };
}

const wrongTokens: Readonly<Record<Problem, Pick<HttpRefusal, 'code' | 'message'>>> = {
  invalid: { code: 'token-invalid', message: 'The token is not one of this server. Look for mistakes in copying it.' },
  expired: { code: 'token-expired', message: 'The token has expired. Ask its issuer for another one.' },
};

function tokenWrong(problem: Problem, challenge: Challenge): HttpRefusal {
  return {
    ...wrongTokens[problem],
    status: 401,
    headers: { 'WWW-Authenticate': challenge({ error: 'invalid_token' }) },
  };
}

function tooManyWrong(retryAfterSeconds: number): HttpRefusal {
  return {
    status: 429,
    code: 'too-many-wrong-tokens',
    message: `Too many wrong tokens came from this address. Wrong ones are not answered for ${retryAfterSeconds} seconds.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  };
}

function issuerUnavailable(retryAfterSeconds: number): HttpRefusal {
  return {
    status: 503,
    code: 'issuer-unavailable',
    message: 'The token cannot be checked, because its issuer cannot be reached from this server. Try again later.',
    headers: { 'Retry-After': String(retryAfterSeconds) },
  };
}

/** `unusable`: the header is a Bearer header, but holds no valid token. */
type BearerRead =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unusable' }
  | { readonly kind: 'token'; readonly token: string };

/** Enough for a JWT with many claims. Longer tokens are not hashed, parsed or verified. */
const maxCharacters = 8_192;

const scheme = /^bearer(?: +|$)/i;
const visibleAscii = /^[\x21-\x7e]+$/;

/**
 * Reads the token of the `Authorization` header. Several headers are unusable, because a proxy and this server could each read a different
 * one. Tokens in the query are ignored: addresses end up in logs and histories. So are other schemes than Bearer.
 */
export function readBearer({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): BearerRead {
  const [header, ...others] = headersDistinct['authorization'] ?? [];
  if (header === undefined) {
    return { kind: 'absent' };
  }
  if (others.length > 0) {
    return { kind: 'unusable' };
  }
  const start = scheme.exec(header)?.[0];
  if (start === undefined) {
    return { kind: 'absent' };
  }
  const token = header.slice(start.length);
  return token.length <= maxCharacters && visibleAscii.test(token) ? { kind: 'token', token } : { kind: 'unusable' };
}

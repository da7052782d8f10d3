import { parseAuthority } from '@gemini-mcp/server';
import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { HttpEnv } from '../../http-env.ts';
import { type Refusal, refuse } from '../../refusal.ts';

export type GuardOriginOptions = {
  /** Origins of pages that may use this server, exactly as browsers send them: `https://app.example.com`. */
  readonly allowedOrigins: readonly string[];
};

const refusal: Refusal = {
  status: 403,
  code: 'origin-not-allowed',
  message:
    'Pages of this origin may not use this server. Its operator can allow an origin with GEMINI_MCP_ALLOWED_ORIGINS.',
};

const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
  'Last-Event-ID',
  'X-Request-Id',
];

const responseHeaders = ['Mcp-Session-Id', 'WWW-Authenticate', 'X-Request-Id', 'Retry-After'];

const preflightSeconds = 600;

/**
 * Refuses requests that pages of other origins made a browser send. Comes after `guardHost`. Configured origins get CORS, their
 * preflights an answer that needs no token; no other page gets a header of it.
 */
export function guardOrigin({ allowedOrigins }: GuardOriginOptions): MiddlewareHandler<HttpEnv> {
  const share = cors({
    // An origin that comes here was found among the allowed ones.
    origin: (origin) => origin,
    allowMethods: ['GET', 'POST', 'DELETE'],
    allowHeaders: requestHeaders,
    exposeHeaders: responseHeaders,
    maxAge: preflightSeconds,
  });
  return async (context, next) => {
    const { host = [], origin = [] } = context.env.incoming.headersDistinct;
    const verdict = checkOrigin({ origins: origin, host: host[0] ?? '' }, allowedOrigins);
    if (verdict === 'configured') {
      return share(context, next);
    }
    if (verdict === 'foreign') {
      return refuse(context, { ...refusal, headers: { Vary: 'Origin' } });
    }
    // On the response of Node: to have it on that of a route, Hono would make another one of it.
    context.env.outgoing.setHeader('Vary', 'Origin');
    return next();
  };
}

type OriginRequest = {
  /** Every `Origin` header of the request. */
  readonly origins: readonly string[];
  /** The one `Host` header, which is checked already. */
  readonly host: string;
};

/**
 * What the `Origin` of a request says. `absent`: no browser, or none that tells. `same`: a page of this very server.
 * `configured`: a page that the operator lets in. `foreign`: any other page, among them those without an origin (`null`).
 */
type OriginVerdict = 'absent' | 'same' | 'configured' | 'foreign';

export function checkOrigin({ origins, host }: OriginRequest, allowedOrigins: readonly string[]): OriginVerdict {
  const [origin, ...others] = origins;
  if (origin === undefined) {
    return 'absent';
  }
  if (others.length > 0 || origin === 'null') {
    return 'foreign';
  }
  if (isSame(origin, host)) {
    return 'same';
  }
  return allowedOrigins.includes(origin) ? 'configured' : 'foreign';
}

/** Either scheme: where TLS ends at a proxy, pages are https and this server does not know. */
function isSame(origin: string, host: string): boolean {
  const scheme = /^https?:\/\//.exec(origin)?.[0];
  if (scheme === undefined || parseAuthority(host) === null) {
    return false;
  }
  const own = originOf(`${scheme}${host}`);
  return own !== null && own === origin;
}

/** As browsers write it: in lower case, without the scheme's own port. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

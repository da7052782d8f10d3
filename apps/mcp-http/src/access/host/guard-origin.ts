import { parseAuthority } from '@gemini-mcp/server';
import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { HttpEnv } from '../../http-env.ts';
import { type HttpRefusal, refuse } from '../../refusal.ts';

export type GuardOriginOptions = {
  /** Origins that may use this server, exactly as browsers send them: `https://app.example.com`. */
  readonly allowedOrigins: readonly string[];
};

const refusal: HttpRefusal = {
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
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
  'X-Request-Id',
];

const responseHeaders = ['Mcp-Session-Id', 'WWW-Authenticate', 'X-Request-Id', 'Retry-After'];

const preflightSeconds = 600;

/**
 * Refuses cross-origin requests of browsers. Runs after `guardHost`. Configured origins get CORS headers, and their preflights are answered
 * without a token. Other origins get no CORS header.
 */
export function guardOrigin({ allowedOrigins }: GuardOriginOptions): MiddlewareHandler<HttpEnv> {
  const share = cors({
    // `checkOrigin` has found the origin among the allowed ones.
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
    // Set on Node's response: on a route's response, Hono would have to create a copy.
    context.env.outgoing.setHeader('Vary', 'Origin');
    return next();
  };
}

type OriginRequest = {
  /** Every `Origin` header of the request. */
  readonly origins: readonly string[];
  /** The `Host` header, which `guardHost` has checked. */
  readonly host: string;
};

/**
 * Classifies the `Origin` of a request. `absent`: not a browser, or none sent. `same`: a page of this server. `configured`:
 * an allowed page. `foreign`: any other, including `null`.
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

/** Both schemes: behind a proxy that ends TLS, pages are https although this server speaks http. */
function isSame(origin: string, host: string): boolean {
  const scheme = /^https?:\/\//.exec(origin)?.[0];
  if (scheme === undefined || parseAuthority(host) === null) {
    return false;
  }
  const own = originOf(`${scheme}${host}`);
  return own !== null && own === origin;
}

/** As browsers write it: in lower case, without the default port of the scheme. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

import { parseAuthority } from '@gemini-mcp/server';

export type OriginRequest = {
  /** Every `Origin` header of the request. */
  readonly origins: readonly string[];
  /** The one `Host` header, which is checked already. */
  readonly host: string;
};

/**
 * What the `Origin` of a request says. `absent`: no browser, or none that tells. `same`: a page of this very server.
 * `configured`: a page that the operator lets in. `foreign`: any other page, among them those without an origin (`null`).
 */
export type OriginVerdict = 'absent' | 'same' | 'configured' | 'foreign';

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

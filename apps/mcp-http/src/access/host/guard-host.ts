import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { parseAuthority } from '@gemini-mcp/server';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../../http-env.ts';
import { type HttpRefusal, refuse } from '../../refusal.ts';
import type { HttpConfiguration } from '../../settings/read-http-configuration.ts';

export type GuardHostOptions = {
  /** Allowed in addition to the loopback names, each with or without a port. */
  readonly allowedHosts: readonly string[];
};

const refusal: HttpRefusal = {
  status: 403,
  code: 'host-not-allowed',
  message:
    'This server does not answer to the host that the request names. Use the address that it prints when it starts; its ' +
    'operator can allow other names with GEMINI_MCP_ALLOWED_HOSTS.',
};

/** Refuses requests for other hosts, before authentication and before the body is read. */
export function guardHost({ allowedHosts }: GuardHostOptions): MiddlewareHandler<HttpEnv> {
  return async (context, next) => (checkHost(context.env.incoming, allowedHosts) ? next() : refuse(context, refusal));
}

/** The only names that no DNS server can point elsewhere. */
const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

type HostRequest = Pick<IncomingMessage, 'url' | 'headersDistinct'>;

/**
 * Whether a request is for this server: it has one `Host`, a loopback name with any port or a configured name (`example.com` with any port,
 * `example.com:8443` with this port). This stops DNS rebinding: a page whose name was pointed at this machine sends its own name.
 * Absolute targets (`GET http://example.com/mcp`) are for proxies, and refused.
 */
export function checkHost({ url = '', headersDistinct }: HostRequest, allowedHosts: readonly string[]): boolean {
  const [host, ...others] = headersDistinct['host'] ?? [];
  if (host === undefined || others.length > 0 || !url.startsWith('/')) {
    return false;
  }
  const authority = parseAuthority(host);
  if (authority === null) {
    return false;
  }
  const allowed = allowedHosts.map((allowedHost) => allowedHost.toLowerCase());
  return (
    loopbackNames.includes(authority.name) ||
    allowed.includes(authority.name) ||
    (authority.port !== null && allowed.includes(`${authority.name}:${authority.port}`))
  );
}

/** The allowed hosts besides the loopback names: the configured ones, the address of the server, and the host of its OAuth audience. */
export function hostsOf({
  allowedHosts,
  host,
  oauth,
}: Pick<HttpConfiguration, 'allowedHosts' | 'host' | 'oauth'>): readonly string[] {
  const own = everyAddress.includes(host) ? [] : [isIP(host) === 6 ? `[${host}]` : host];
  const audience = oauth === null ? [] : [new URL(oauth.audience).host];
  return [...allowedHosts, ...own, ...audience];
}

/** Wildcard addresses: no client calls the server by them. */
const everyAddress: readonly string[] = ['0.0.0.0', '::'];

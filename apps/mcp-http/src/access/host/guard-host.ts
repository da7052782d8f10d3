import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { parseAuthority } from '@gemini-mcp/server';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../../http-env.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import type { HttpConfiguration } from '../../settings/read-http-configuration.ts';

export type GuardHostOptions = {
  /** Names in addition to the loopback ones, each with or without a port. */
  readonly allowedHosts: readonly string[];
};

const refusal: Refusal = {
  status: 403,
  code: 'host-not-allowed',
  message:
    'This server does not answer to the host that the request names. Use the address that it prints when it starts; its ' +
    'operator can allow other names with GEMINI_MCP_ALLOWED_HOSTS.',
};

/** Refuses what is not for this server, before who sent it is looked at and before anything of its body is read. */
export function guardHost({ allowedHosts }: GuardHostOptions): MiddlewareHandler<HttpEnv> {
  return async (context, next) => (checkHost(context.env.incoming, allowedHosts) ? next() : refuse(context, refusal));
}

/** The only names that lead here whatever a name server says. */
const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

type HostRequest = Pick<IncomingMessage, 'url' | 'headersDistinct'>;

/**
 * Whether a request is for this server: it has one `Host`, which is a loopback name with any port or one that is configured
 * (`example.com` with any port, `example.com:8443` with this one). A page elsewhere whose own name was pointed at this machine
 * sends its own name. Targets that bring a host of their own (`GET http://example.com/mcp`) are for proxies, and refused.
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

/** Names by which requests may call the server in addition to the loopback ones: configured ones, its address, and its name to OAuth. */
export function hostsOf({
  allowedHosts,
  host,
  oauth,
}: Pick<HttpConfiguration, 'allowedHosts' | 'host' | 'oauth'>): readonly string[] {
  const own = everyAddress.includes(host) ? [] : [isIP(host) === 6 ? `[${host}]` : host];
  const audience = oauth === null ? [] : [new URL(oauth.audience).host];
  return [...allowedHosts, ...own, ...audience];
}

/** Where a server listens on all addresses that the machine has: none of them is its name. */
const everyAddress: readonly string[] = ['0.0.0.0', '::'];

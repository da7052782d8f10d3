import type { IncomingMessage } from 'node:http';
import { parseAuthority } from '@gemini-mcp/server';

/** The only names that lead here whatever a name server says. */
const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export type HostRequest = Pick<IncomingMessage, 'url' | 'headersDistinct'>;

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

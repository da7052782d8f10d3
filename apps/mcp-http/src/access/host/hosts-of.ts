import { isIP } from 'node:net';
import type { HttpConfiguration } from '../../settings/http-configuration.ts';

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

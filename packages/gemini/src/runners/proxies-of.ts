import type { Proxies } from '@gemini-mcp/adapters-api';
import type { Environment } from '@gemini-mcp/adapters-node';

/**
 * The proxies of an environment. Names in small letters count first, as with curl; one that is empty switches the other off. An address
 * without a scheme is one of HTTP, as with curl.
 */
export function proxiesOf(environment: Environment): Proxies {
  const read = (name: string): string | null => (environment[name.toLowerCase()] ?? environment[name]) || null;
  return { http: withScheme(read('HTTP_PROXY')), https: withScheme(read('HTTPS_PROXY')), except: read('NO_PROXY') };
}

function withScheme(address: string | null): string | null {
  return address === null || address.includes('://') ? address : `http://${address}`;
}

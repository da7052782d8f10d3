import { type Proxies, unusableProxy } from '@gemini-mcp/adapters-api';
import { type Check, fault, ok } from './check.ts';

/** Shows the proxy of calls, without a name and a password in its address; no check without a proxy. */
export function checkProxy(proxies: Proxies): readonly Check[] {
  const address = proxies.https ?? proxies.http;
  if (address === null) {
    return [];
  }
  const problem = unusableProxy(proxies);
  if (problem !== null) {
    return [fault('Proxy', problem, 'Correct or remove HTTPS_PROXY and HTTP_PROXY, or https_proxy and http_proxy.')];
  }
  const { protocol, host } = new URL(address);
  const exceptions = proxies.except === null ? '' : `, except for ${proxies.except}`;
  return [ok('Proxy', `${protocol}//${host}${exceptions}`)];
}

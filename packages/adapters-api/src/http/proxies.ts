/** The proxies between requests and servers. */
export type Proxies = {
  /**
   * For `http:` and for `https:` addresses, in the form of `HTTP_PROXY` and `HTTPS_PROXY`; null for no proxy. Without one for `https:`
   * the one for `http:` serves both, as with the Gemini CLI. Only the proxy receives a name and a password in it.
   */
  readonly http: string | null;
  readonly https: string | null;
  /**
   * Hosts to reach directly, in the form of `NO_PROXY`: names with all their subdomains, each with a port or without, or `*`; null for no
   * exceptions.
   */
  readonly except: string | null;
};

export const noProxies: Proxies = { http: null, https: null, except: null };

const schemes: readonly string[] = ['http:', 'https:', 'socks:', 'socks5:'];

/** Why these proxies are unusable, in our words and without their addresses, which may hold a password. Null if they are usable. */
export function unusableProxy({ http, https }: Proxies): string | null {
  const places = [
    { scheme: 'http', url: http },
    { scheme: 'https', url: https },
  ] as const;
  const wrong = places.find(({ url }) => url !== null && url !== '' && !isUsable(url));
  return wrong === undefined
    ? null
    : `The proxy for ${wrong.scheme} addresses cannot be used: its address has to look like http://name:port.`;
}

function isUsable(text: string): boolean {
  try {
    const { protocol, hostname, username, password } = new URL(text);
    // undici rejects text that cannot be decoded.
    decodeURIComponent(`${username}${password}`);
    return schemes.includes(protocol) && hostname !== '';
  } catch {
    return false;
  }
}

/** Through which proxies servers are reached. */
export type Proxies = {
  /**
   * For `http:` and for `https:` addresses, as `HTTP_PROXY` and `HTTPS_PROXY` have them; null for none. Without one for `https:` the
   * one for `http:` serves both, as with the Gemini CLI. A name and a password in it are sent to the proxy alone.
   */
  readonly http: string | null;
  readonly https: string | null;
  /** Hosts that are reached directly, as `NO_PROXY` has them: names with all below them, each with a port or without, or `*`; null for none. */
  readonly except: string | null;
};

export const noProxies: Proxies = { http: null, https: null, except: null };

const schemes: readonly string[] = ['http:', 'https:', 'socks:', 'socks5:'];

/** Why these proxies cannot be used, in our words and without their addresses, which may hold a password. Null where they can be. */
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
    // What cannot be decoded, undici refuses.
    decodeURIComponent(`${username}${password}`);
    return schemes.includes(protocol) && hostname !== '';
  } catch {
    return false;
  }
}

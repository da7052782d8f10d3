import { type HostNearness, hostNearness } from '@gemini-mcp/core/internal';

/** All addresses of a host. Rejects where there are none, or it cannot be asked. */
export type HostLookup = (host: string) => Promise<readonly string[]>;

/** An address that a stranger has named must not be used. The message is a sentence for a user. */
export class EndpointRefused extends Error {}

/** Each may name what is as near as itself, and what is less so. */
const ranks: Readonly<Record<Exclude<HostNearness, 'forbidden'>, number>> = {
  public: 0,
  private: 1,
  'this-machine': 2,
};

/**
 * Judges the addresses that the metadata of a server leads to: of https, or of http on this machine; and no nearer than the server
 * itself, so that one on the internet cannot make us ask the machines around us.
 */
export class EndpointJudge {
  readonly #server: URL;
  readonly #lookup: HostLookup;
  #nearness: Promise<HostNearness> | undefined;

  /** `server` is the address that the user has configured. */
  constructor(server: URL, lookup: HostLookup) {
    this.#server = server;
    this.#lookup = lookup;
  }

  /** Rejects with an `EndpointRefused`. */
  async check(address: string | URL): Promise<URL> {
    const url = readEndpoint(String(address));
    const named = hostNearness(url.hostname);
    if (url.protocol === 'http:' && named !== 'this-machine') {
      throw refused(url, 'is not encrypted');
    }
    if (url.host !== this.#server.host) {
      this.#nearness ??= this.#nearnessOfServer();
      const allowed = await this.#nearness;
      for (const found of [named, ...(await this.#resolved(url.hostname))]) {
        checkNearness(url, found, allowed);
      }
    }
    return url;
  }

  /** A name that leads to this machine is no reason to trust it as one of this machine: anyone can have such a name. */
  async #nearnessOfServer(): Promise<HostNearness> {
    const named = hostNearness(this.#server.hostname);
    const isNear = named === 'public' && (await this.#resolved(this.#server.hostname)).some((one) => one !== 'public');
    return isNear ? 'private' : named;
  }

  /** Empty behind a proxy: the proxy looks the host up. */
  async #resolved(host: string): Promise<readonly HostNearness[]> {
    return (await this.#lookup(host.replace(/^\[|\]$/g, '')).catch(() => [])).map(hostNearness);
  }
}

function readEndpoint(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new EndpointRefused('It names an address for the login that is not one of https.');
  }
  if (url.username !== '' || url.password !== '') {
    throw refused(url, 'has a name and a password in it');
  }
  return url;
}

function checkNearness(url: URL, found: HostNearness, server: HostNearness): void {
  if (found === 'forbidden') {
    throw refused(url, 'is where no server is');
  }
  if (server !== 'forbidden' && ranks[found] > ranks[server]) {
    throw refused(url, 'is in a network of its own, which the server is not');
  }
}

function refused(url: URL, why: string): EndpointRefused {
  return new EndpointRefused(`The address ${url.origin}, which it names for the login, ${why}. It is not asked.`);
}

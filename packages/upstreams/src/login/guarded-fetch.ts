import type { Clock } from '@gemini-mcp/core';
import { type HostNearness, hostNearness, sleepUnlessAborted } from '@gemini-mcp/core/internal';

type GuardedFetchOptions = {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly judge: EndpointJudge;
};

/** Server metadata with all languages and keys has about 20 kB. */
const maxBodyBytes = 256_000;

const timeLimitMs = 30_000;

/** A login endpoint's answer was too long or too late. */
export class AnswerRefused extends Error {}

/**
 * A `fetch` for a login's requests to untrusted endpoints: only addresses that `judge` accepts, no redirects, each answer read here, within 256 kB
 * and 30 s. Rejects with `EndpointRefused`, `AnswerRefused`, or as `fetch` does. An abort of `signal` ends the request.
 */
export function createGuardedFetch(
  { fetch, clock, judge }: GuardedFetchOptions,
  signal: AbortSignal,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init = {}) => {
    const address = await judge.check(url);
    const late = new AbortController();
    const over = new AbortController();
    void sleepUnlessAborted(clock, timeLimitMs, over.signal).then((isOver) => isOver && late.abort());
    const signals = [signal, late.signal, ...(init.signal ? [init.signal] : [])];
    try {
      const response = await fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) });
      const { status, statusText, headers } = response;
      const body = await readBody(response);
      const isEmpty = [204, 205, 304].includes(status);
      return new Response(isEmpty ? null : body, { status, statusText, headers: plainHeaders(headers) });
    } catch (error) {
      throw late.signal.aborted ? new AnswerRefused(`${address.origin} did not answer within 30 s.`) : error;
    } finally {
      over.abort();
    }
  };
}

async function readBody({ body, url }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    bytes += read.value.byteLength;
    if (bytes > maxBodyBytes) {
      await reader?.cancel().catch(() => undefined);
      throw new AnswerRefused(`${new URL(url).origin} sent more than 256 kB. The answer was not read.`);
    }
    chunks.push(read.value);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Drops the encoding headers: the body is decoded by now. */
function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  plain.delete('content-encoding');
  plain.delete('content-length');
  return plain;
}

/** Returns all addresses of a host. Rejects if it has no address, or the lookup fails. */
export type HostLookup = (host: string) => Promise<readonly string[]>;

/** An untrusted party named an address that must not be used. The message is a sentence for the user. */
export class EndpointRefused extends Error {}

/** A server may name endpoints of its own rank or a more public one. */
const ranks: Readonly<Record<Exclude<HostNearness, 'forbidden'>, number>> = {
  public: 0,
  private: 1,
  'this-machine': 2,
};

/**
 * Judges the addresses that a server's metadata names: they must use https, or http on this machine, and be no nearer than the server itself, so
 * that a server on the internet cannot make us call machines of the local network.
 */
export class EndpointJudge {
  readonly #server: URL;
  readonly #lookup: HostLookup;
  #nearness: Promise<HostNearness> | undefined;

  /** `server` is the address from the user's settings. */
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

  /** Does not trust a name because it leads to this machine: anyone can have such a name. */
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
    throw new EndpointRefused('It names a login address that is not https.');
  }
  if (url.username !== '' || url.password !== '') {
    throw refused(url, 'contains a name and a password');
  }
  return url;
}

function checkNearness(url: URL, found: HostNearness, server: HostNearness): void {
  if (found === 'forbidden') {
    throw refused(url, 'cannot belong to a server');
  }
  if (server !== 'forbidden' && ranks[found] > ranks[server]) {
    throw refused(url, 'is in a private network, which the server is not in');
  }
}

function refused(url: URL, why: string): EndpointRefused {
  return new EndpointRefused(`Its login address ${url.origin} ${why}, so it was not called.`);
}

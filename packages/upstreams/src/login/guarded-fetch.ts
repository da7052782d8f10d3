import type { Clock } from '@gemini-mcp/core';
import { type HostNearness, hostNearness, sleepUnlessAborted } from '@gemini-mcp/core/internal';

type GuardedFetchOptions = {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly judge: EndpointJudge;
};

/** Metadata of a server with all languages and keys has some 20 kB. */
const maxBodyBytes = 256_000;

const timeLimitMs = 30_000;

/** The answer to a question of the login was too long, or came too late. */
export class AnswerRefused extends Error {}

/**
 * A `fetch` for what a login asks strangers: addresses as `judge` lets them, redirects not followed, each answer read here, within 256 kB and
 * 30 s. It rejects with `EndpointRefused`, `AnswerRefused`, or as `fetch` does. An abort of `signal` ends it.
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
      throw new AnswerRefused(`${new URL(url).origin} answered with more than 256 kB. The answer was not read.`);
    }
    chunks.push(read.value);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** The body is unpacked by now. */
function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  plain.delete('content-encoding');
  plain.delete('content-length');
  return plain;
}

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

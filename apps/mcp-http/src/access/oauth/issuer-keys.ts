import { isTrustworthyUrl } from '@gemini-mcp/adapters-node/internal/startup';
import type { Clock } from '@gemini-mcp/core';
import { createRemoteJWKSet, customFetch, type FetchImplementation, type RemoteJWKSet } from 'jose';
import * as z from 'zod';

export type IssuerKeysOptions = {
  readonly issuer: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly fetch: Fetch;
  /** How long the issuer is not asked again after a failure. */
  readonly coolDownMs: number;
  /** Receives the reason of each failed request to the issuer. */
  readonly onFailure: (reason: string) => void;
};

type Found = { readonly url: string; readonly keys: RemoteJWKSet; readonly atMs: number };

/** Issuers rarely move their keys, but a server runs for months. */
const metadataAgeMs = 3_600_000;

/** The least that a key set needs before its keys are read. */
const keySet = z.object({ keys: z.array(z.object({})) });

const limits = { timeoutMs: 5_000, maxBytes: 1_048_576 } as const;

/** The keys of an issuer. Finds them by its metadata on first use, and keeps them up to date. */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  readonly #metadata: CooledSource;
  readonly #keySet: CooledSource;
  #found: Found | null = null;
  #search: Promise<Found> | null = null;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
    this.#metadata = new CooledSource(options);
    this.#keySet = new CooledSource(options);
  }

  /** Resolves to the key source for `jwtVerify`. Both reject with `IssuerUnavailable`. */
  async find(): Promise<RemoteJWKSet> {
    const found = this.#found;
    if (found !== null && this.#options.clock.now() < found.atMs + metadataAgeMs) {
      return found.keys;
    }
    const search = this.#startSearch();
    if (found === null) {
      return (await search).keys;
    }
    // Requests go on with the old address, which most likely still holds. `onFailure` has reported a failure already.
    search.catch(() => undefined);
    return found.keys;
  }

  #startSearch(): Promise<Found> {
    this.#search ??= this.#discover(this.#found).finally(() => {
      this.#search = null;
    });
    return this.#search;
  }

  async #discover(before: Found | null): Promise<Found> {
    const { issuer, fetch, clock } = this.#options;
    const url = await this.#metadata.ask(() => discoverKeySetUrl(issuer, fetch));
    const keys = before?.url === url.href ? before.keys : this.#createKeySet(url);
    this.#found = { url: url.href, keys, atMs: clock.now() };
    return this.#found;
  }

  #createKeySet(url: URL): RemoteJWKSet {
    const fetchKeys: FetchImplementation = (address) =>
      this.#keySet.ask(async () => Response.json(await this.#fetchKeySet(address)));
    return createRemoteJWKSet(url, { cooldownDuration: 30_000, cacheMaxAge: 600_000, [customFetch]: fetchKeys });
  }

  async #fetchKeySet(address: string): Promise<unknown> {
    const fetched = await fetchJson(address, { fetch: this.#options.fetch, ...limits });
    if (!fetched.ok) {
      throw new IssuerUnavailable(fetched.reason);
    }
    if (!keySet.safeParse(fetched.json).success) {
      throw new IssuerUnavailable(`${address}: sent no set of keys`);
    }
    return fetched.json;
  }
}

type CooledSourceOptions = {
  readonly clock: Pick<Clock, 'now'>;
  /** How long the source is not asked again after a failure. */
  readonly coolDownMs: number;
  /** Receives each failure of the source once, not its repetitions. */
  readonly onFailure: (reason: string) => void;
};

/** Limits how often a failing source is asked: the senders of tokens decide how often keys are needed. Rejects with `IssuerUnavailable`. */
class CooledSource {
  readonly #options: CooledSourceOptions;
  #failed: { readonly atMs: number; readonly reason: string } | null = null;

  constructor(options: CooledSourceOptions) {
    this.#options = options;
  }

  async ask<Answer>(source: () => Promise<Answer>): Promise<Answer> {
    const { clock, coolDownMs, onFailure } = this.#options;
    if (this.#failed !== null && clock.now() < this.#failed.atMs + coolDownMs) {
      throw new IssuerUnavailable(this.#failed.reason);
    }
    try {
      return await source();
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'failed';
      this.#failed = { atMs: clock.now(), reason };
      onFailure(reason);
      throw new IssuerUnavailable(reason, { cause: error });
    }
  }
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

type FetchJsonOptions = {
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxBytes: number;
};

/** `reason` is for the log. `answered` is false if the server could not be reached. */
type FetchedJson =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly reason: string; readonly answered: boolean };

/** Fetches JSON from the issuer. Does not follow redirects, which could lead anywhere. Never rejects. */
export async function fetchJson(url: string, { fetch, timeoutMs, maxBytes }: FetchJsonOptions): Promise<FetchedJson> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { redirect: 'manual', headers: { Accept: 'application/json' }, signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { ok: false, reason: `${url}: answered with the status ${response.status}`, answered: true };
    }
    const bytes = await readAtMost(response, maxBytes);
    return bytes === null
      ? { ok: false, reason: `${url}: sent more than ${maxBytes} bytes`, answered: true }
      : parse(url, bytes);
  } catch (error) {
    return { ok: false, reason: `${url}: ${describe(error)}`, answered: false };
  }
}

async function readAtMost({ body }: Response, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early cancels the stream.
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) {
      return null;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(url: string, bytes: Uint8Array): FetchedJson {
  try {
    return { ok: true, json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return { ok: false, reason: `${url}: sent no JSON`, answered: true };
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) {
    return 'failed';
  }
  // `fetch` throws a general error; the cause has the reason.
  const { message, cause } = error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

/** The issuer cannot be asked at the moment, so a token can be neither accepted nor refused. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

const metadata = z.object({ issuer: z.string(), jwks_uri: z.string() });

const documentLimits = { timeoutMs: 5_000, maxBytes: 262_144 } as const;

/** Possible addresses of an issuer's metadata, in the order of MCP clients: RFC 8414, then the two of OpenID Connect. */
export function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map(
    (name) => `${origin}/.well-known/${name}${path}`,
  );
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
}

/**
 * Finds the address of the issuer's keys in its metadata. Rejects with `IssuerUnavailable` if the metadata is missing, belongs to another
 * issuer, or names an address without TLS.
 */
export async function discoverKeySetUrl(issuer: string, fetch: Fetch): Promise<URL> {
  const reasons: string[] = [];
  for (const url of metadataUrls(issuer)) {
    const fetched = await fetchJson(url, { fetch, ...documentLimits });
    const read = fetched.ok ? readKeySetUrl(issuer, fetched.json) : fetched.reason;
    if (typeof read !== 'string') {
      return read;
    }
    reasons.push(fetched.ok ? `${url}: ${read}` : read);
    if (!fetched.ok && !fetched.answered) {
      // The other addresses are on the same server.
      break;
    }
  }
  throw new IssuerUnavailable(reasons.join('; '));
}

/** The address, or the reason why it is unusable. */
function readKeySetUrl(issuer: string, json: unknown): URL | string {
  const read = metadata.safeParse(json);
  if (!read.success) {
    return 'is not the metadata of an issuer with keys';
  }
  if (read.data.issuer !== issuer) {
    return 'is the metadata of an issuer other than GEMINI_MCP_OAUTH_ISSUER';
  }
  return isTrustworthyUrl(read.data.jwks_uri) ? new URL(read.data.jwks_uri) : 'its jwks_uri is not an https address';
}

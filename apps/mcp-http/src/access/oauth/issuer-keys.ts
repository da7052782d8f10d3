import { isTrustworthyUrl } from '@gemini-mcp/adapters-node/internal/startup';
import type { Clock } from '@gemini-mcp/core';
import { createRemoteJWKSet, customFetch, type FetchImplementation, type RemoteJWKSet } from 'jose';
import * as z from 'zod';

export type IssuerKeysOptions = {
  readonly issuer: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly fetch: Fetch;
  /** After a failure the issuer is left alone for so long. */
  readonly coolDownMs: number;
  /** Told why the issuer could not be asked, once each time that it was asked. */
  readonly onFailure: (reason: string) => void;
};

type Found = { readonly url: string; readonly keys: RemoteJWKSet; readonly atMs: number };

/** An issuer moves its keys to another address hardly ever; a server runs for months. */
const metadataAgeMs = 3_600_000;

/** As far as it must be one for single keys to be looked at. */
const keySet = z.object({ keys: z.array(z.object({})) });

const limits = { timeoutMs: 5_000, maxBytes: 1_048_576 } as const;

/** The keys of an issuer, found by its metadata when they are first needed, and kept up to date. */
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

  /** Resolves to what `jwtVerify` takes its keys from, which rejects with `IssuerUnavailable` too. Rejects with that. */
  async find(): Promise<RemoteJWKSet> {
    const found = this.#found;
    if (found !== null && this.#options.clock.now() < found.atMs + metadataAgeMs) {
      return found.keys;
    }
    const search = this.#startSearch();
    if (found === null) {
      return (await search).keys;
    }
    // No request waits for the new one: where the keys were is where they most likely still are. Its failure was told already.
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
  /** How long after a failure the source is not asked again. */
  readonly coolDownMs: number;
  /** Told of each failure, not of those that only repeat it. */
  readonly onFailure: (reason: string) => void;
};

/**
 * Keeps what fails from being asked all the time: a sender of tokens decides how often we would ask the issuer. Rejects
 * with `IssuerUnavailable`.
 */
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

/** `reason` is for the log. `answered` tells one who said something else than asked for from one who cannot be reached. */
type FetchedJson =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly reason: string; readonly answered: boolean };

/** The JSON at an address of the issuer. Redirects are not followed: they could lead anywhere. Never rejects. */
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
  // Leaving the loop early cancels the rest.
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
  // What `fetch` throws says no more than that it failed; why, its cause does.
  const { message, cause } = error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

/** Nothing can be learned from the issuer at the moment, which says nothing about the token that was to be verified. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

const metadata = z.object({ issuer: z.string(), jwks_uri: z.string() });

const documentLimits = { timeoutMs: 5_000, maxBytes: 262_144 } as const;

/** Where an issuer may keep its metadata, in the order in which MCP clients ask: RFC 8414, then OpenID Connect's two ways. */
export function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map(
    (name) => `${origin}/.well-known/${name}${path}`,
  );
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
}

/**
 * The address of the issuer's keys, as its metadata has it. Rejects with `IssuerUnavailable` where there is no metadata, where
 * it is another issuer's, or where the keys would come over a line that anybody can change.
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
      // The others are at the same server.
      break;
    }
  }
  throw new IssuerUnavailable(reasons.join('; '));
}

/** The address, or why there is none. */
function readKeySetUrl(issuer: string, json: unknown): URL | string {
  const read = metadata.safeParse(json);
  if (!read.success) {
    return 'is no metadata of an issuer with keys';
  }
  if (read.data.issuer !== issuer) {
    return 'is the metadata of another issuer than GEMINI_MCP_OAUTH_ISSUER names';
  }
  return isTrustworthyUrl(read.data.jwks_uri) ? new URL(read.data.jwks_uri) : 'its jwks_uri is no https address';
}

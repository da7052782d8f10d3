import type { Clock } from '@gemini-mcp/core';
import { createRemoteJWKSet, customFetch, type FetchImplementation, type RemoteJWKSet } from 'jose';
import * as z from 'zod';
import { discoverKeySetUrl } from './discover-key-set-url.ts';
import { type Fetch, fetchJson, IssuerUnavailable } from './fetch-json.ts';

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

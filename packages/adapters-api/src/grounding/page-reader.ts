import { excerptFrom, type GeminiFailure, type RunRequest, type WebPage } from '@gemini-mcp/core';
import { isWebAddress } from '@gemini-mcp/core/internal';
import { type JsonObject, objectsIn } from '../json-object.ts';

/** The API reads at most 20 pages for a request. */
const maxPages = 100;

/** `UrlMetadata.UrlRetrievalStatus` of the Gemini API, v1beta. Every other status is a failure. */
const outcomes: ReadonlyMap<unknown, WebPage['outcome']> = new Map([
  ['URL_RETRIEVAL_STATUS_SUCCESS', 'read'],
  ['URL_RETRIEVAL_STATUS_PAYWALL', 'paywall'],
  ['URL_RETRIEVAL_STATUS_UNSAFE', 'unsafe'],
]);

/** Gathers the state of the requested pages from the events of a stream. The last report of a page counts. */
export class PageReader {
  /** Addresses of the request, by their normalized form. */
  readonly #named: ReadonlyMap<string, string>;
  readonly #pages = new Map<string, WebPage>();

  constructor(urls: readonly string[]) {
    this.#named = new Map(urls.map((url) => [parsed(url), url]));
  }

  add(metadata: JsonObject): void {
    for (const { retrievedUrl, urlRetrievalStatus } of objectsIn(metadata['urlMetadata'], maxPages)) {
      if (typeof retrievedUrl === 'string' && isWebAddress(retrievedUrl)) {
        this.#note(this.#named.get(parsed(retrievedUrl)) ?? retrievedUrl, outcomes.get(urlRetrievalStatus) ?? 'failed');
      }
    }
  }

  get pages(): readonly WebPage[] {
    return [...this.#pages.values()];
  }

  #note(url: string, outcome: WebPage['outcome']): void {
    if (this.#pages.size < maxPages || this.#pages.has(url)) {
      this.#pages.set(url, { url, outcome });
    }
  }
}

function parsed(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

/** Why the pages of a request cannot be read: one is not a web address. In the list for the model, it could be any text. */
export function refusePages({ urls = [] }: Pick<RunRequest, 'urls'>): GeminiFailure | null {
  const wrong = urls.find((url) => !isWebAddress(url));
  return wrong === undefined
    ? null
    : { kind: 'invalid-input', excerpt: excerptFrom(`Not an http or https address: ${JSON.stringify(wrong)}`) };
}

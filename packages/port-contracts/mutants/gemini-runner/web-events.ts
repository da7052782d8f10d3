import type { Grounding, RunEvent, WebPage } from '@gemini-mcp/core';

/** What a candidate reports about a search and pages. */
export type WebMetadata = {
  readonly groundingMetadata?: {
    readonly webSearchQueries: readonly string[];
    readonly groundingChunks: readonly { readonly web: { readonly uri: string; readonly title: string } }[];
    readonly groundingSupports: readonly {
      readonly segment: { readonly startIndex?: number; readonly endIndex: number };
      readonly groundingChunkIndices: readonly number[];
    }[];
  };
  readonly urlContextMetadata?: {
    readonly urlMetadata: readonly { readonly retrievedUrl: string; readonly urlRetrievalStatus: string }[];
  };
};

const outcomes: Readonly<Record<string, WebPage['outcome']>> = {
  URL_RETRIEVAL_STATUS_SUCCESS: 'read',
  URL_RETRIEVAL_STATUS_PAYWALL: 'paywall',
  URL_RETRIEVAL_STATUS_UNSAFE: 'unsafe',
};

/** The web events of a run: what it found and read; empty if it reported nothing. */
export function* webEvents({ groundingMetadata, urlContextMetadata }: WebMetadata, text: string): Generator<RunEvent> {
  if (groundingMetadata !== undefined) {
    yield { type: 'tool', name: 'google_web_search', phase: 'succeeded' };
    yield { type: 'grounding', grounding: groundingOf(groundingMetadata, text) };
  }
  if (urlContextMetadata !== undefined) {
    const pages = urlContextMetadata.urlMetadata.map(({ retrievedUrl: url, urlRetrievalStatus }) => ({
      url,
      outcome: outcomes[urlRetrievalStatus] ?? ('failed' as const),
    }));
    yield { type: 'pages', pages };
  }
}

function groundingOf(
  { webSearchQueries, groundingChunks, groundingSupports }: NonNullable<WebMetadata['groundingMetadata']>,
  text: string,
): Grounding {
  const bytes = Buffer.from(text);
  const unitAt = (byte: number): number => bytes.subarray(0, byte).toString().length;
  return {
    queries: webSearchQueries,
    sources: groundingChunks.map(({ web: { uri: url, title } }) => ({
      url,
      title,
      isRedirect: url.startsWith('https://vertexaisearch.cloud.google.com/grounding-api-redirect/'),
    })),
    supports: groundingSupports.map(({ segment: { startIndex = 0, endIndex }, groundingChunkIndices: sources }) => ({
      start: unitAt(startIndex),
      end: unitAt(endIndex),
      sources,
    })),
  };
}

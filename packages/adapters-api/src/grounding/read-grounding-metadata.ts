import { excerptFrom, type GroundingSource } from '@gemini-mcp/core';
import { isWebAddress } from '@gemini-mcp/core/internal';
import { asObject, type JsonObject, listOf, objectsIn } from '../json-object.ts';
import type { Segment } from './find-segments.ts';

/** A search has some ten of each; of very many, the first ones are taken. */
const max = { queries: 50, chunks: 200, supports: 1_000, indices: 50, segmentCharacters: 20_000 } as const;

/** Addresses of Google's that lead to a page for some days, and are all that it tells of where the page is. */
const redirect = /^https?:\/\/vertexaisearch\.cloud\.google\.com\/grounding-api-redirect\//i;

/** `groundingMetadata` of a candidate (Gemini API, v1beta), without what is of no use. */
export type GroundingMetadata = {
  readonly queries: readonly string[];
  /** Null for what is no page of the web, so that the others keep their places. */
  readonly sources: readonly (GroundingSource | null)[];
  readonly supports: readonly { readonly segment: Segment; readonly sources: readonly number[] }[];
};

/** Reads what a search tells of itself. What has another form than expected is passed over, and long texts are cut. */
export function readGroundingMetadata(metadata: JsonObject): GroundingMetadata {
  return {
    queries: listOf(metadata['webSearchQueries'], max.queries).map(shortText).filter(isNotEmpty),
    sources: listOf(metadata['groundingChunks'], max.chunks).map(sourceOf),
    supports: objectsIn(metadata['groundingSupports'], max.supports).flatMap((support) => {
      const segment = segmentOf(asObject(support['segment']));
      const sources = listOf(support['groundingChunkIndices'], max.indices).filter(Number.isSafeInteger).map(Number);
      return segment === null ? [] : [{ segment, sources }];
    }),
  };
}

function sourceOf(chunk: unknown): GroundingSource | null {
  const { uri: url, title, domain } = asObject(asObject(chunk)['web']);
  if (typeof url !== 'string' || !isWebAddress(url)) {
    return null;
  }
  const host = shortText(domain);
  return { url, title: shortText(title), ...(isNotEmpty(host) && { domain: host }), isRedirect: redirect.test(url) };
}

/** The API leaves out what is zero. Null where the places are no numbers, or the text is none that could be compared. */
function segmentOf({ partIndex = 0, startIndex = 0, endIndex = 0, text = null }: JsonObject): Segment | null {
  const hasText = typeof text === 'string' && text.length <= max.segmentCharacters;
  const arePlaces = typeof partIndex === 'number' && typeof startIndex === 'number' && typeof endIndex === 'number';
  return arePlaces && (hasText || text === null)
    ? { partIndex, startByte: startIndex, endByte: endIndex, text: hasText ? text : null }
    : null;
}

function shortText(value: unknown): string {
  return typeof value === 'string' ? excerptFrom(value).replace(/\s+/gu, ' ') : '';
}

function isNotEmpty(text: string): boolean {
  return text !== '';
}

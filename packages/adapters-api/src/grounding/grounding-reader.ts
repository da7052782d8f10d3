import { excerptFrom, type Grounding, type GroundingSource, type GroundingSupport } from '@gemini-mcp/core';
import { isWebAddress } from '@gemini-mcp/core/internal';
import { asObject, type JsonObject, listOf, objectsIn } from '../json-object.ts';
import { findSegments, type Segment } from './find-segments.ts';
import { VisibleParts } from './visible-parts.ts';

/** Over all events of a stream; each event has limits of its own. */
const max = { queries: 50, sources: 200, supports: 1_000 } as const;

type Support = { readonly segment: Segment; readonly urls: Set<string> };

/**
 * Gathers what a search found from the events of a stream. The API tells it in the last event or in one before, and may tell it
 * again with more: what is told twice counts once.
 */
export class GroundingReader {
  readonly #parts = new VisibleParts();
  readonly #queries = new Set<string>();
  readonly #sources = new Map<string, GroundingSource>();
  readonly #supports = new Map<string, Support>();
  /** Of the last event that named sources: places in a list of supports are places in the list that came with it, or before it. */
  #listed: readonly (GroundingSource | null)[] = [];

  /** Takes what is told in the next event of the stream. */
  add(parts: readonly unknown[], metadata: JsonObject | null): void {
    this.#parts.add(parts);
    if (metadata === null) {
      return;
    }
    const { queries, sources, supports } = readGroundingMetadata(metadata);
    this.#listed = sources.length === 0 ? this.#listed : sources;
    addWithin(this.#queries, queries, max.queries);
    for (const source of sources) {
      if (source !== null && this.#sources.size < max.sources && !this.#sources.has(source.url)) {
        this.#sources.set(source.url, source);
      }
    }
    for (const support of supports) {
      this.#addSupport(support.segment, support.sources);
    }
  }

  /** What the search found, when all text has come; null where nothing was searched for. */
  end(): Grounding | null {
    if (this.#queries.size === 0 && this.#sources.size === 0) {
      return null;
    }
    return { queries: [...this.#queries], sources: [...this.#sources.values()], supports: this.#findSupports() };
  }

  #addSupport(segment: Segment, places: readonly number[]): void {
    const urls = places.flatMap((place) => this.#listed[place]?.url ?? []);
    const key = JSON.stringify(segment);
    const known = this.#supports.get(key);
    if (known !== undefined) {
      addWithin(known.urls, urls, max.sources);
    } else if (this.#supports.size < max.supports && urls.length > 0) {
      this.#supports.set(key, { segment, urls: new Set(urls) });
    }
  }

  #findSupports(): readonly GroundingSupport[] {
    const places = new Map([...this.#sources.keys()].map((url, place) => [url, place]));
    const supports = [...this.#supports.values()];
    const spans = findSegments(
      supports.map(({ segment }) => segment),
      this.#parts,
    );
    const found = new Map<string, GroundingSupport>();
    for (const [index, { urls }] of supports.entries()) {
      const span = spans[index] ?? null;
      const own = [...urls].flatMap((url) => places.get(url) ?? []);
      if (span !== null && own.length > 0) {
        const key = `${span.start}-${span.end}`;
        const sources = [...new Set([...(found.get(key)?.sources ?? []), ...own])].sort((a, b) => a - b);
        found.set(key, { ...span, sources });
      }
    }
    return [...found.values()].sort((one, other) => one.start - other.start || one.end - other.end);
  }
}

function addWithin(all: Set<string>, more: readonly string[], maxSize: number): void {
  for (const one of more) {
    if (all.size < maxSize) {
      all.add(one);
    }
  }
}

/** A search has some ten of each; of very many, the first ones are taken. */
const maxOfEvent = { queries: 50, chunks: 200, supports: 1_000, indices: 50, segmentCharacters: 20_000 } as const;

/** Addresses of Google's that lead to a page for some days, and are all that it tells of where the page is. */
const redirect = /^https?:\/\/vertexaisearch\.cloud\.google\.com\/grounding-api-redirect\//i;

/** `groundingMetadata` of a candidate (Gemini API, v1beta), without what is of no use. */
type GroundingMetadata = {
  readonly queries: readonly string[];
  /** Null for what is no page of the web, so that the others keep their places. */
  readonly sources: readonly (GroundingSource | null)[];
  readonly supports: readonly { readonly segment: Segment; readonly sources: readonly number[] }[];
};

/** Reads what a search tells of itself. What has another form than expected is passed over, and long texts are cut. */
function readGroundingMetadata(metadata: JsonObject): GroundingMetadata {
  return {
    queries: listOf(metadata['webSearchQueries'], maxOfEvent.queries).map(shortText).filter(isNotEmpty),
    sources: listOf(metadata['groundingChunks'], maxOfEvent.chunks).map(sourceOf),
    supports: objectsIn(metadata['groundingSupports'], maxOfEvent.supports).flatMap((support) => {
      const segment = segmentOf(asObject(support['segment']));
      const sources = listOf(support['groundingChunkIndices'], maxOfEvent.indices)
        .filter(Number.isSafeInteger)
        .map(Number);
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
  const hasText = typeof text === 'string' && text.length <= maxOfEvent.segmentCharacters;
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

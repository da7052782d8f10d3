import { excerptFrom, type Grounding, type GroundingSource, type GroundingSupport } from '@gemini-mcp/core';
import { isWebAddress, splitsSurrogatePair, utf8BytesAt } from '@gemini-mcp/core/internal';
import { asObject, type JsonObject, listOf, objectsIn } from '../json-object.ts';
import { VisibleParts } from './visible-parts.ts';

/** Limits over all events of a stream; each event has its own limits. */
const max = { queries: 50, sources: 200, supports: 1_000 } as const;

type Support = { readonly segment: Segment; readonly urls: Set<string> };

/**
 * Gathers the search results from the events of a stream. The API reports them in the last event or an earlier one, and may repeat them
 * with more; duplicates count once.
 */
export class GroundingReader {
  readonly #parts = new VisibleParts();
  readonly #queries = new Set<string>();
  readonly #sources = new Map<string, GroundingSource>();
  readonly #supports = new Map<string, Support>();
  /** Sources of the last event that named any: a support's indices refer to the list in its own event, or in an earlier one. */
  #listed: readonly (GroundingSource | null)[] = [];

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

  /** The search results, after all text has arrived; null without a search. */
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

/** A search has some ten of each; of a huge number, only the first ones are kept. */
const maxOfEvent = { queries: 50, chunks: 200, supports: 1_000, indices: 50, segmentCharacters: 20_000 } as const;

/** Google addresses that redirect to a page for some days; the API reports no other address of the page. */
const redirect = /^https?:\/\/vertexaisearch\.cloud\.google\.com\/grounding-api-redirect\//i;

/** The members that we use from a candidate's `groundingMetadata` (Gemini API, v1beta). */
type GroundingMetadata = {
  readonly queries: readonly string[];
  /** Null for anything but a web page, so that the others keep their indices. */
  readonly sources: readonly (GroundingSource | null)[];
  readonly supports: readonly { readonly segment: Segment; readonly sources: readonly number[] }[];
};

/** Parses the metadata of a search. Skips members of an unexpected form, and cuts long texts. */
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

/** The API omits zero. Null if the offsets are not numbers, or the text is too long to compare. */
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

/** A part of an answer, as `groundingSupports[].segment` describes it. */
type Segment = {
  readonly partIndex: number;
  /** In bytes of UTF-8 within the part; the end is exclusive. */
  readonly startByte: number;
  readonly endByte: number;
  /** The text of the segment; null if not reported. */
  readonly text: string | null;
};

/** In UTF-16 units of the visible text. */
type Span = { readonly start: number; readonly end: number };

/** Bounds the comparison of hostile texts and segments, whose time grows with the product of their lengths, to a fifth of a second. */
const maxComparisons = 200_000_000;

/**
 * The position of each segment in the visible text; null if not found. The text of a segment decides: if it is not at its byte offsets,
 * its position is its only occurrence in the whole text.
 */
function findSegments(segments: readonly Segment[], parts: VisibleParts): readonly (Span | null)[] {
  const { text } = parts;
  const places = new Utf8Places(text);
  let comparisons = 0;
  return segments.map((segment) => {
    const placed = spanByBytes(segment, parts, places);
    if (placed !== null || segment.text === null) {
      return placed;
    }
    comparisons += segment.text.length * text.length;
    return comparisons <= maxComparisons ? spanByText(segment.text, text) : null;
  });
}

function spanByBytes(
  { partIndex, startByte, endByte, text }: Segment,
  parts: VisibleParts,
  places: Utf8Places,
): Span | null {
  for (const unit of parts.startsOf(partIndex)) {
    const base = places.bytesAt(unit);
    const start = places.unitAt(base + startByte);
    const end = places.unitAt(base + endByte);
    const isSpan = start !== null && end !== null && start < end && startByte >= 0;
    if (isSpan && (text === null || parts.text.slice(start, end) === text)) {
      return { start, end };
    }
  }
  return null;
}

function spanByText(segment: string, text: string): Span | null {
  const start = text.indexOf(segment);
  const end = start + segment.length;
  const isOnce = start !== -1 && segment !== '' && text.indexOf(segment, start + 1) === -1;
  return isOnce && !splitsSurrogatePair(text, start) && !splitsSurrogatePair(text, end) ? { start, end } : null;
}

/** The distance in units between remembered positions: a lookup counts at most this many. */
const strideUnits = 1_024;

/** Converts positions in a text between bytes of UTF-8 and UTF-16 units. */
export class Utf8Places {
  readonly #text: string;
  /** Bytes before each unit whose position is a multiple of the stride. */
  readonly #bytesBefore: number[] = [];
  readonly #length: number;

  constructor(text: string) {
    this.#text = text;
    let bytes = 0;
    for (let unit = 0; unit < text.length; unit += 1) {
      if (unit % strideUnits === 0) {
        this.#bytesBefore.push(bytes);
      }
      bytes += utf8BytesAt(text, unit);
    }
    this.#length = bytes;
  }

  bytesAt(unit: number): number {
    const stride = Math.floor(unit / strideUnits);
    let bytes = this.#bytesBefore[stride] ?? this.#length;
    for (let place = stride * strideUnits; place < Math.min(unit, this.#text.length); place += 1) {
      bytes += utf8BytesAt(this.#text, place);
    }
    return bytes;
  }

  /** Units before a byte; null if the byte is inside a character, or outside the text. */
  unitAt(byte: number): number | null {
    if (!Number.isSafeInteger(byte) || byte < 0 || byte > this.#length) {
      return null;
    }
    let unit = this.#strideBefore(byte) * strideUnits;
    let bytes = this.bytesAt(unit);
    while (bytes < byte) {
      bytes += utf8BytesAt(this.#text, unit);
      unit += 1;
    }
    return bytes === byte && !splitsSurrogatePair(this.#text, unit) ? unit : null;
  }

  #strideBefore(byte: number): number {
    let [low, high] = [0, this.#bytesBefore.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#bytesBefore[middle] ?? 0) <= byte) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}

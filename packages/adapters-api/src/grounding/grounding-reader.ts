import type { Grounding, GroundingSource, GroundingSupport } from '@gemini-mcp/core';
import type { JsonObject } from '../json-object.ts';
import { findSegments, type Segment } from './find-segments.ts';
import { readGroundingMetadata } from './read-grounding-metadata.ts';
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

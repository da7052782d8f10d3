import { isWebAddress } from '../addresses/is-web-address.ts';
import type { Grounding, GroundingSource } from '../ports/gemini-runner/grounding.ts';
import { cleanLine } from '../text/clean-text.ts';
import { excerptFrom } from '../text/excerpt-from.ts';

/** More sources than a caller may request do not help a reader. */
const maxSources = 50;

/** The position of a passage in an answer, and the indexes of the sources that support it. */
type FoundSupport = { readonly start: number; readonly end: number; readonly sources: readonly number[] };

/** The result of a search in displayable form. */
export type FoundSources = {
  readonly queries: readonly string[];
  readonly sources: readonly GroundingSource[];
  readonly supports: readonly FoundSupport[];
};

/**
 * The displayable part of a grounding: at most `limit` sources with web addresses, in the order in which the text uses them, then the others. Nothing
 * in the grounding is trusted.
 */
export function foundSources(text: string, grounding: Grounding, limit: number | null): FoundSources {
  const supports = grounding.supports.filter(({ start, end }) => coversWords(start, end, text));
  const mentioned = supports.flatMap(({ sources }) => sources);
  const shown = [...new Set([...mentioned, ...grounding.sources.keys()])]
    .filter((place) => isWebAddress(grounding.sources[place]?.url ?? ''))
    .slice(0, limit ?? maxSources);
  const newPlaces = new Map(shown.map((place, index) => [place, index]));
  return {
    queries: grounding.queries.map(shortLine).filter((query) => query !== ''),
    sources: shown.flatMap((place) => grounding.sources[place] ?? []).map(shownSource),
    supports: supports.flatMap(({ start, end, sources }) => {
      const places = sources.flatMap((place) => newPlaces.get(place) ?? []);
      return places.length === 0 ? [] : [{ start, end, sources: [...new Set(places)].sort((a, b) => a - b) }];
    }),
  };
}

function coversWords(start: number, end: number, text: string): boolean {
  const arePlaces = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end <= text.length;
  return arePlaces && text.slice(start, end).trim() !== '';
}

function shownSource({ title, domain, ...source }: GroundingSource): GroundingSource {
  return { ...source, title: shortLine(title), ...(domain !== undefined && { domain: shortLine(domain) }) };
}

function shortLine(text: string): string {
  return cleanLine(excerptFrom(text));
}

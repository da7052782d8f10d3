import { isWebAddress } from '../addresses/is-web-address.ts';
import type { Grounding, GroundingSource } from '../ports/gemini-runner/grounding.ts';
import { cleanLine } from '../text/clean-text.ts';
import { excerptFrom } from '../text/excerpt-from.ts';

/** More sources than a caller may ask for are no help to a reader. */
const maxSources = 50;

/** Where words of an answer are, and places in the list of sources that they rest on. */
type FoundSupport = { readonly start: number; readonly end: number; readonly sources: readonly number[] };

/** What a search found, as it is shown. */
export type FoundSources = {
  readonly queries: readonly string[];
  readonly sources: readonly GroundingSource[];
  readonly supports: readonly FoundSupport[];
};

/**
 * What of a grounding is shown with a text: at most `limit` sources with addresses of the web, in the order in which the text
 * rests on them, and the others after these. Nothing that the grounding says is taken on trust.
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

import type { GroundingSource } from '../ports/gemini-runner/grounding.ts';
import { splitsSurrogatePair } from '../text/splits-surrogate-pair.ts';
import type { FoundSources } from './found-sources.ts';

/** Of a search with many queries, only the first are shown. */
const maxQueries = 10;

/** Characters that belong to the one before: accents, variation selectors, joiners. */
const belongsBefore = /^(?:\p{M}|\u200d)+/u;

/** The numbered sources of an answer and the queries that found them, as lines for its account. */
export function sourceLines({ sources, queries }: FoundSources): readonly string[] {
  return [...numberedSources(sources), ...queryLines(queries)];
}

/** A text with the numbers of its sources after the passages that rest on them. */
export function markSources(text: string, { supports }: FoundSources): string {
  const marks = new Map<number, Set<number>>();
  for (const { start, end, sources } of supports) {
    const place = markOffset(text, start, end);
    marks.set(place, new Set([...(marks.get(place) ?? []), ...sources]));
  }
  let [marked, done] = ['', 0];
  for (const [place, sources] of [...marks].sort(([one], [other]) => one - other)) {
    const numbers = [...sources].sort((a, b) => a - b).map((source) => source + 1);
    marked += `${text.slice(done, place)} [${numbers.join(', ')}]`;
    done = place;
  }
  return marked + text.slice(done);
}

/** After the last word, before white space, and never inside a character as a reader sees it. */
function markOffset(text: string, start: number, end: number): number {
  const last = start + text.slice(start, end).trimEnd().length;
  const place = splitsSurrogatePair(text, last) ? last + 1 : last;
  return place + (belongsBefore.exec(text.slice(place, place + 16))?.[0].length ?? 0);
}

function numberedSources(sources: readonly GroundingSource[]): readonly string[] {
  if (sources.length === 0) {
    return [];
  }
  return [
    'Sources:',
    ...sources.map((source, index) => `[${index + 1}] ${nameOf(source)}${source.url}`),
    ...(sources.some(({ isRedirect }) => isRedirect)
      ? [
          "Addresses of vertexaisearch.cloud.google.com are Google's redirects to the pages. They expire after some days.",
        ]
      : []),
  ];
}

function nameOf({ title, domain = '' }: GroundingSource): string {
  const names = [title, ...(domain === '' || domain === title ? [] : [`(${domain})`])].filter((name) => name !== '');
  return names.length === 0 ? '' : `${names.join(' ')}: `;
}

function queryLines(queries: readonly string[]): readonly string[] {
  const shown = queries.slice(0, maxQueries).map((query) => `"${query}"`);
  const more = queries.length > maxQueries ? [`${queries.length - maxQueries} more`] : [];
  return queries.length === 0 ? [] : [`Searched for: ${[...shown, ...more].join(', ')}`];
}

import { characterEnd } from '../answers/cut-end.ts';
import { cleanText } from './clean-text.ts';
import type { FoundSources } from './found-sources.ts';
import type { SearchReport } from './search-request.ts';

/** Of the sentences that rest on a source: some of them say what it is about. */
const snippetCharacters = 500;

/** What was found in a form for programs. The summary is the text, as it came. */
export function reportFound(text: string, { queries, sources, supports }: FoundSources): SearchReport {
  const supported = supports.map(({ start, end, sources: places }) => ({
    text: cleanText(text.slice(start, end)),
    sources: places,
  }));
  return {
    summary: cleanText(text),
    sources: sources.map(({ url, title, domain, isRedirect }, index) => ({
      url,
      title,
      snippet: cut(supported.flatMap((one) => (one.sources.includes(index) ? [one.text] : [])).join(' ')),
      ...(domain !== undefined && { domain }),
      ...(isRedirect && { redirect: true }),
    })),
    queries,
    supports: supported,
  };
}

function cut(text: string): string {
  return text.slice(0, characterEnd(text, 0, snippetCharacters));
}

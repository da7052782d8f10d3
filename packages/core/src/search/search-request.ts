import type { RunSettings } from '../ports/gemini-runner/run-settings.ts';

/** A question to the web. */
export type SearchRequest = {
  readonly owner: string;
  readonly query: string;
  /** At most this many sources; null leaves it to Gemini. */
  readonly limit: number | null;
  /** Whether the answer is to be a `SearchReport`; otherwise it is prose. */
  readonly structured: boolean;
  readonly model: string | null;
  /** `tools` and `directory` count for nothing here: a search may use the web search and nothing else. */
  readonly settings: RunSettings;
  readonly timeoutMs: number;
};

export type SearchSource = {
  readonly url: string;
  readonly title: string;
  /** What it says on the query; of a search whose sources are data, the sentences of the summary that rest on it. */
  readonly snippet: string;
  /** The host of the page, where it was told. */
  readonly domain?: string;
  /** There where `url` is a redirect of Google's to the page, which works for some days only. */
  readonly redirect?: true;
};

/** Words of a summary, and places in `sources` of what they rest on. */
export type SearchSupport = { readonly text: string; readonly sources: readonly number[] };

/** What was found, in a form for programs. */
export type SearchReport = {
  readonly summary: string;
  readonly sources: readonly SearchSource[];
  /** What Google searched for. There where the runner tells what a search found as data, as are those below. */
  readonly queries?: readonly string[];
  /** In the order of the summary. */
  readonly supports?: readonly SearchSupport[];
};

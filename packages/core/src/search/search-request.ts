import type { CallOrigin } from '../ask-gemini/ask-request.ts';
import type { RunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { TraceContext } from '../ports/trace-context.ts';

/** A question for a web search. */
export type SearchRequest = {
  readonly owner: string;
  readonly query: string;
  /** Limit on the number of sources; null leaves it to Gemini. */
  readonly limit: number | null;
  /** Whether the answer must be a `SearchReport`; otherwise it is prose. */
  readonly structured: boolean;
  readonly model: string | null;
  /** `tools` and `directory` are ignored: a search may only use the web search. */
  readonly settings: RunSettings;
  readonly timeoutMs: number;
  /** As in `AskRequest`. */
  readonly trace?: TraceContext | undefined;
  readonly origin?: CallOrigin | undefined;
};

export type SearchSource = {
  readonly url: string;
  readonly title: string;
  /** What it says on the query; if the sources are data, the sentences of the summary that rest on it. */
  readonly snippet: string;
  /** The host of the page, if known. */
  readonly domain?: string;
  /** Set if `url` is a Google redirect to the page, which works for only a few days. */
  readonly redirect?: true;
};

/** A passage of a summary, and the indexes in `sources` of what supports it. */
export type SearchSupport = { readonly text: string; readonly sources: readonly number[] };

/** The search result in a form for programs. */
export type SearchReport = {
  readonly summary: string;
  readonly sources: readonly SearchSource[];
  /** What Google searched for. Present if the runner returns the search result as data, like the fields below. */
  readonly queries?: readonly string[];
  /** In the order of the summary. */
  readonly supports?: readonly SearchSupport[];
};

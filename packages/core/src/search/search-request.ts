import type { RunSettings } from '../ports/gemini-runner.ts';

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

export type SearchSource = { readonly url: string; readonly title: string; readonly snippet: string };

/** What was found, in a form for programs. */
export type SearchReport = {
  readonly summary: string;
  readonly sources: readonly SearchSource[];
};

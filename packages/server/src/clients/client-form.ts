import type { HttpEntry, StdioEntry } from './server-entry.ts';

export type ClientSnippet = {
  /** What goes into the client's settings, or is run in a shell. */
  readonly text: string;
  /** Where it goes, and what else the reader should know. */
  readonly place: string;
};

/** The settings that one AI client takes, for each transport. */
export type ClientForm = {
  readonly stdio: (entry: StdioEntry) => ClientSnippet;
  readonly http: (entry: HttpEntry) => ClientSnippet;
};

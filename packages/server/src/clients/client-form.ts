import type { HttpEntry, StdioEntry } from './server-entry.ts';

export type ClientSnippet = {
  /** What goes into the client's settings, or is run in a shell. */
  readonly text: string;
  /** Where it goes, and what else the reader should know. */
  readonly place: string;
};

/** What one AI client calls itself, and the settings that it takes, for each transport. */
export type ClientForm = {
  /** The names that it gives in `clientInfo`, in lower case. */
  readonly names: readonly string[];
  /** How a variable reaches a server that the client starts: a sentence that ends with the start of the client. */
  readonly passVariable: (variable: string) => string;
  readonly stdio: (entry: StdioEntry) => ClientSnippet;
  readonly http: (entry: HttpEntry) => ClientSnippet;
};

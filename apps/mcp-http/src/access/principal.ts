import type { Scope } from '@gemini-mcp/mcp/internal/declarations';

/** Who sent a request, once that is certain. */
export type Principal = {
  /** For the log: `local`, the name in the principals file, or `oauth:` with the subject of a token. Never a secret. */
  readonly name: string;
  /** To whom sessions, answers, jobs and places in the queue belong: a digest, the same after a restart. */
  readonly owner: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The only directories that may be read for it, the first of them where relative names start; null for those of the server. */
  readonly roots: readonly string[] | null;
};

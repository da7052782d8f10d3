import type { LeftOut } from './left-out.ts';

export type WithExcerpt = {
  /** A redacted excerpt of the error text, at most 500 characters; empty if there was no text. Untrusted: fence it when you show it. */
  readonly excerpt: string;
  /**
   * Who wrote the error text, as a phrase after "said by": `Google`, `the Gemini CLI`. Missing if the runner does not know (a web page came instead
   * of an answer) or wrote the text itself.
   */
  readonly saidBy?: string;
};

/** How the process or connection ended, as a runner's phrase such as `ended with exit code 7`; empty if unknown. */
export type WithDetail = { readonly detail: string };

/** Why a call to Gemini did not end in an answer. There is one kind for each thing that a user can do about it. */
export type GeminiFailure =
  | { readonly kind: 'cli-missing'; readonly detail: string }
  | ({ readonly kind: 'cli-outdated' } & WithExcerpt)
  /** The requested runner did not start, and no other was allowed. */
  | ({ readonly kind: 'runner-unavailable' } & WithExcerpt)
  | ({ readonly kind: 'authentication'; readonly problem: 'missing' | 'rejected' } & WithExcerpt)
  | ({ readonly kind: 'tier-retired' } & WithExcerpt)
  | ({ readonly kind: 'untrusted-workspace' } & WithExcerpt)
  | ({ readonly kind: 'configuration' } & WithExcerpt)
  /** The machine ran out of a resource: `detail` is our own text and names the resource and the remedy. */
  | { readonly kind: 'resources-exhausted'; readonly detail: string }
  | ({ readonly kind: 'invalid-input' } & WithExcerpt)
  /** The runner does not support this feature of the request. */
  | { readonly kind: 'unsupported'; readonly feature: UnsupportedFeature }
  | { readonly kind: 'directory-refused'; readonly detail: string }
  /** Gemini may not use servers that the call names: `detail` is our own text and says why. */
  | { readonly kind: 'servers-refused'; readonly detail: string }
  | ({ readonly kind: 'sandbox-missing' } & WithExcerpt)
  /** `newest` lists the existing sessions, most recently used first. */
  | { readonly kind: 'unknown-session'; readonly newest: readonly SessionSummary[] }
  /** Gemini answered a search without searching, or its search failed for an unknown reason. */
  | ({ readonly kind: 'search-failed' } & WithExcerpt)
  /** An answer came, but not in the requested form, even after a second request. */
  | ({
      readonly kind: 'invalid-answer';
      /** Each problem on a line of its own, in our own words and safe to show. Missing if the form is one of ours. */
      readonly problem?: string;
    } & WithExcerpt)
  | { readonly kind: 'no-context'; readonly leftOut: readonly LeftOut[] }
  | ({ readonly kind: 'rate-limited'; readonly retryAfterMs: number | null } & WithExcerpt)
  | ({ readonly kind: 'quota-exhausted' } & WithExcerpt)
  | ({ readonly kind: 'capacity-exhausted' } & WithExcerpt)
  | ({ readonly kind: 'model-not-found' } & WithExcerpt)
  | ({ readonly kind: 'overloaded' } & WithExcerpt)
  | ({ readonly kind: 'server-error'; readonly httpStatus: number | null } & WithExcerpt)
  | ({
      readonly kind: 'context-too-large';
      readonly refusal: InputRefusal | null;
      /** The byte limit that the caller or the operator set, if no named file fits into it. */
      readonly setLimitBytes?: number;
    } & WithExcerpt)
  /** One of Google's filters refused the prompt or stopped the answer. */
  | ({ readonly kind: 'blocked'; readonly what: 'answer' | 'prompt' } & WithExcerpt)
  | ({ readonly kind: 'empty-answer' } & WithExcerpt)
  | ({ readonly kind: 'malformed-output' } & WithExcerpt)
  | ({ readonly kind: 'network' } & WithExcerpt)
  | ({ readonly kind: 'turn-limit' } & WithExcerpt)
  | ({ readonly kind: 'tool-denied' } & WithExcerpt)
  /** The request, or a tool that Gemini used for it, blocked its process until the process was killed. A retry would block as well. */
  | ({ readonly kind: 'hung' } & WithExcerpt)
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'busy'; readonly retryAfterMs: number | null }
  | ({ readonly kind: 'crashed' } & WithDetail & WithExcerpt)
  | ({ readonly kind: 'unknown' } & WithDetail & WithExcerpt);

export type FailureKind = GeminiFailure['kind'];

/** The input that a runner refused, and how far it exceeded the limit. */
export type InputRefusal = {
  readonly measure: 'bytes' | 'characters' | 'bytes of media';
  readonly actual: number;
  readonly limit: number;
};

/** A part of a request that a runner does not support. */
export type UnsupportedFeature =
  | 'history'
  | 'system-prompt'
  | 'tools'
  | 'directory'
  | 'media'
  | 'api-key'
  | 'sandbox'
  | 'answer-schema'
  | 'thinking'
  | 'flexible-tier'
  | 'urls'
  | 'tool-sources'
  | 'token-count'
  /** Running without a known login. Other missing features say more about another runner. */
  | 'login';

/** A session's entry in a list, without its turns: `summarizeSession` creates it. */
export type SessionSummary = {
  readonly id: string;
  /** The beginning of the first message, on one line. Untrusted: escape it before showing it. */
  readonly title: string;
  /** As in the session. */
  readonly model: string | null;
  /** Number of turns, user and model together. */
  readonly turns: number;
  /** Size in the store; at least the size of the texts in UTF-8. */
  readonly bytes: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

import type { LeftOut } from './left-out.ts';

export type WithExcerpt = {
  /**
   * An excerpt of what was said of the failure, 500 characters at most, empty where nothing was: text from strangers, already
   * redacted, to be fenced where it is shown.
   */
  readonly excerpt: string;
  /**
   * Who said it, in words of the runner that go after "said by": `Google`, `the Gemini CLI`. Missing where the runner does not
   * know, as of a page that came in the place of an answer, and where the words are the runner's own.
   */
  readonly saidBy?: string;
};

/** How what carried the run ended, in words of the runner such as `ended with exit code 7`; empty where it is not known. */
export type WithDetail = { readonly detail: string };

/** Why a call to Gemini did not end in an answer. One kind for each thing that a user can do about it. */
export type GeminiFailure =
  | { readonly kind: 'cli-missing'; readonly detail: string }
  | ({ readonly kind: 'cli-outdated' } & WithExcerpt)
  /** The way of running that was asked for did not come up, and no other was allowed. */
  | ({ readonly kind: 'runner-unavailable' } & WithExcerpt)
  | ({ readonly kind: 'authentication'; readonly problem: 'missing' | 'rejected' } & WithExcerpt)
  | ({ readonly kind: 'tier-retired' } & WithExcerpt)
  | ({ readonly kind: 'untrusted-workspace' } & WithExcerpt)
  | ({ readonly kind: 'configuration' } & WithExcerpt)
  /** The machine has run out of something: `detail` says of what, and what to do, in our words. */
  | { readonly kind: 'resources-exhausted'; readonly detail: string }
  | ({ readonly kind: 'invalid-input' } & WithExcerpt)
  /** The runner has no way to do what was asked. */
  | { readonly kind: 'unsupported'; readonly feature: UnsupportedFeature }
  | { readonly kind: 'directory-refused'; readonly detail: string }
  /** Servers that the call names cannot be lent: `detail` says why, in our words. */
  | { readonly kind: 'servers-refused'; readonly detail: string }
  | ({ readonly kind: 'sandbox-missing' } & WithExcerpt)
  /** `newest` are the sessions that there are, most recently used first. */
  | { readonly kind: 'unknown-session'; readonly newest: readonly SessionSummary[] }
  /** Gemini answered a search without having searched, or its search failed for a reason that is not known. */
  | ({ readonly kind: 'search-failed' } & WithExcerpt)
  /** An answer came, but not in the form that was asked for, also when asked again. */
  | ({
      readonly kind: 'invalid-answer';
      /** What does not fit, in our words, safe to show: a line for each problem. Missing where the form is one of ours. */
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
      /** The limit of bytes that the caller or the operator has set, if no named file fits into it. */
      readonly setLimitBytes?: number;
    } & WithExcerpt)
  /** A filter of Google's refused the prompt, or stopped the answer. */
  | ({ readonly kind: 'blocked'; readonly what: 'answer' | 'prompt' } & WithExcerpt)
  | ({ readonly kind: 'empty-answer' } & WithExcerpt)
  | ({ readonly kind: 'malformed-output' } & WithExcerpt)
  | ({ readonly kind: 'network' } & WithExcerpt)
  | ({ readonly kind: 'turn-limit' } & WithExcerpt)
  | ({ readonly kind: 'tool-denied' } & WithExcerpt)
  /** The request, or a tool that Gemini used for it, held what ran it until that was ended: so would the next one. */
  | ({ readonly kind: 'hung' } & WithExcerpt)
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'busy'; readonly retryAfterMs: number | null }
  | ({ readonly kind: 'crashed' } & WithDetail & WithExcerpt)
  | ({ readonly kind: 'unknown' } & WithDetail & WithExcerpt);

export type FailureKind = GeminiFailure['kind'];

/** What a runner refused to carry, and how far over its limit it was. */
export type InputRefusal = {
  readonly measure: 'bytes' | 'characters' | 'bytes of media';
  readonly actual: number;
  readonly limit: number;
};

/** A part of a request that a runner has no way to honour. */
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
  | 'urls'
  | 'tool-sources'
  | 'token-count'
  /** To run without a login that is known: what is missing, another way of running tells better. */
  | 'login';

/** What a list says of a session, without what was said in it: `summarizeSession` makes it. */
export type SessionSummary = {
  readonly id: string;
  /** The beginning of what was said first, on one line. Data from strangers: escape it before showing it. */
  readonly title: string;
  /** As in the session. */
  readonly model: string | null;
  /** How many turns the session has, those of both sides. */
  readonly turns: number;
  /** What the store needs for the session; at least the size of its texts in UTF-8. */
  readonly bytes: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

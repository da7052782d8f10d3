/** A page that a search found. */
export type GroundingSource = {
  /** Untrusted text, like the title. */
  readonly url: string;
  /** The page's title, or its bare domain; empty if Google gave neither. */
  readonly title: string;
  /** The page's host, such as `example.org`, as Google reports it. Missing if Google does not. */
  readonly domain?: string;
  /** Whether `url` is a temporary Google redirect to the page rather than the page's own address. */
  readonly isRedirect: boolean;
};

/** A part of an answer, and the sources that support it. */
export type GroundingSupport = {
  /** Start and exclusive end in the text of the run, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Indexes into `sources`. */
  readonly sources: readonly number[];
};

/** What Google searched for, the pages it found, and which parts of the answer they support. */
export type Grounding = {
  readonly queries: readonly string[];
  readonly sources: readonly GroundingSource[];
  /** In the order of the text. Empty if Google reported none. */
  readonly supports: readonly GroundingSupport[];
};

/** The outcome of a web page that a request named. */
export type WebPage = {
  /** As in the request, or as Google reports it. */
  readonly url: string;
  /** Read; needs payment or a login; refused as unsafe; or not read, without a reason given. */
  readonly outcome: 'read' | 'paywall' | 'unsafe' | 'failed';
};

/** The outcome of a page that a call named; `untold` if Google did not report it. */
export type NamedPage = { readonly url: string; readonly outcome: WebPage['outcome'] | 'untold' };

/** A page that a search found. */
export type GroundingSource = {
  /** Text from strangers, as is the title. */
  readonly url: string;
  /** What the page is called, or the bare domain; empty where neither was told. */
  readonly title: string;
  /** The host of the page, such as `example.org`, as Google tells it. Missing where it was not told. */
  readonly domain?: string;
  /** Whether `url` is an address of Google's that leads to the page for a while, and not that of the page. */
  readonly isRedirect: boolean;
};

/** A part of an answer, and what it rests on. */
export type GroundingSupport = {
  /** Where the part begins and ends in the text of the run, in UTF-16 code units; the end is the first one after it. */
  readonly start: number;
  readonly end: number;
  /** Places in `sources`. */
  readonly sources: readonly number[];
};

/** What Google searched the web for, what it found, and which parts of the answer rest on which of that. */
export type Grounding = {
  readonly queries: readonly string[];
  readonly sources: readonly GroundingSource[];
  /** In the order of the text. Empty where it was not told. */
  readonly supports: readonly GroundingSupport[];
};

/** What became of a page of the web that a request named. */
export type WebPage = {
  /** As the request has it, or as Google tells it. */
  readonly url: string;
  /** Read; asked for money or a login; refused as unsafe; or not read for a reason that was not told. */
  readonly outcome: 'read' | 'paywall' | 'unsafe' | 'failed';
};

/** What became of a page for a call; untold where it was named and Google said nothing of it. */
export type NamedPage = { readonly url: string; readonly outcome: WebPage['outcome'] | 'untold' };

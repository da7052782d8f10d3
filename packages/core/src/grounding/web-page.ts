/** What became of a page of the web that a request named. */
export type WebPage = {
  /** As the request has it, or as Google tells it. */
  readonly url: string;
  /** Read; asked for money or a login; refused as unsafe; or not read for a reason that was not told. */
  readonly outcome: 'read' | 'paywall' | 'unsafe' | 'failed';
};

/** What became of a page for a call; untold where it was named and Google said nothing of it. */
export type NamedPage = { readonly url: string; readonly outcome: WebPage['outcome'] | 'untold' };

import type { SurfaceContext } from '../surface.ts';

export type CompletionContext = SurfaceContext & {
  /** Other arguments of the same prompt or template that have their values already, as far as the client tells them. */
  readonly given: Readonly<Record<string, string>>;
};

/** The first values of more than one can tell. */
export type Suggestions = {
  readonly values: readonly string[];
  /** How many there are; null where that is not known. */
  readonly total: number | null;
  readonly hasMore: boolean;
};

/**
 * Suggests values for one argument, given its beginning as typed so far, the best first; those beyond the first 100 are only
 * counted. An exception is a bug, of which the client learns no more than that it happened.
 */
export type Completer = (value: string, context: CompletionContext) => Promise<readonly string[] | Suggestions>;

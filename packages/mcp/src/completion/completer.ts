import type { SurfaceContext } from '../surface-context.ts';

/**
 * Suggests values for one argument, given its beginning as typed so far, the best first; those beyond the first 100 are only
 * counted. An exception is a bug, of which the client learns no more than that it happened.
 */
export type Completer = (value: string, context: SurfaceContext) => Promise<readonly string[]>;

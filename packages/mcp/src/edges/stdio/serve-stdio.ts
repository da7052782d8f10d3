import { serveExtended } from './eras.ts';
import type { ServeStdioOptions, StdioServed } from './stdio-served.ts';

/**
 * Serves one client over a pair of streams until either of them ends or `signal` is aborted. Each request is answered in the era of
 * the protocol that it is of. Resolves with the reason. Leaves the streams open and the process running.
 */
export function serveStdio(options: ServeStdioOptions, signal: AbortSignal): Promise<StdioServed> {
  return serveExtended(options, {}, signal);
}

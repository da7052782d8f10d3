import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What of a run decides who may speak to it. */
export type Guarded = { readonly token: string };

export type Admission<Run extends Guarded> =
  | { readonly admitted: true; readonly run: Run }
  | { readonly admitted: false; readonly status: 400 | 401 | 403 | 404 | 405 };

export type Door<Run extends Guarded> = {
  readonly port: number;
  readonly runs: ReadonlyMap<string, Run>;
};

/**
 * Decides by the head of a request whether it comes from the program that a run lends to. A page in a browser cannot: it has an origin, or
 * comes under a name that only its DNS calls loopback.
 */
export function admitRequest<Run extends Guarded>(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  { port, runs }: Door<Run>,
): Admission<Run> {
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`) {
    return { admitted: false, status: 403 };
  }
  if (headers.origin !== undefined) {
    return { admitted: false, status: 403 };
  }
  const run = runs.get(/^\/r\/([0-9a-f]{16})$/.exec(url)?.[1] ?? '');
  if (run === undefined) {
    return { admitted: false, status: 404 };
  }
  if (!isSame(headers.authorization ?? '', `Bearer ${run.token}`)) {
    return { admitted: false, status: 401 };
  }
  return method === 'POST' ? { admitted: true, run } : { admitted: false, status: 405 };
}

/** Takes the same time wherever they differ. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

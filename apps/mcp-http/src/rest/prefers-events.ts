import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { HttpEnv } from '../http-env.ts';

const json = 'application/json';
const events = 'text/event-stream';

type Range = { readonly type: string; readonly q: number };

/**
 * Whether a request asks for an event stream rather than JSON: by quality, then by who is named more exactly, then by who is
 * named first. JSON where nothing was said, where anything goes, and where neither is wanted.
 */
export function prefersEvents(context: Context<HttpEnv>): boolean {
  const match = (ranges: readonly Range[]): string => (compare(ranges) ? events : json);
  return accepts(context, { header: 'Accept', supports: [json, events], default: json, match }) === events;
}

function compare(ranges: readonly Range[]): boolean {
  const ofEvents = bestRange(ranges, events);
  const ofJson = bestRange(ranges, json);
  if (ofEvents === null || ofEvents.q === 0) {
    return false;
  }
  if (ofJson === null || ofEvents.q !== ofJson.q) {
    return ofEvents.q > (ofJson?.q ?? 0);
  }
  return ofEvents.exactness !== ofJson.exactness
    ? ofEvents.exactness > ofJson.exactness
    : ofEvents.place < ofJson.place;
}

/** The range that says most exactly what is wanted of a type. */
function bestRange(ranges: readonly Range[], type: string) {
  const [best] = ranges
    .map(({ type: range, q }, place) => ({ q, place, exactness: exactnessOf(range.toLowerCase(), type) }))
    .filter(({ exactness }) => exactness > 0)
    .sort((one, other) => other.exactness - one.exactness);
  return best ?? null;
}

function exactnessOf(range: string, type: string): number {
  if (range === type) {
    return 3;
  }
  const [main] = type.split('/');
  if (range === `${main}/*`) {
    return 2;
  }
  return range === '*/*' || range === '*' ? 1 : 0;
}

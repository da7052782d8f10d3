/** No caller waits longer: any longer time only means "not today". */
const longestWaitMs = 24 * 60 * 60 * 1_000;

/** An HTTP date, `Sun, 06 Nov 1994 08:49:37 GMT`. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Normalises a delay: whole milliseconds between 0 and a day; null if the value is not a time. */
export function toWaitMs(timeMs: number | null): number | null {
  return timeMs === null || Number.isNaN(timeMs) || timeMs < 0 ? null : Math.ceil(Math.min(timeMs, longestWaitMs));
}

/**
 * Parses the header `Retry-After` of a response, seconds or a date, to a delay in milliseconds from `nowMs` (since the epoch). Null if the header is
 * missing or unreadable; 0 for a past date; at most a day.
 */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    return toWaitMs(Number(text) * 1_000);
  }
  return httpDate.test(text) ? toWaitMs(Math.max(0, Date.parse(text) - nowMs)) : null;
}

/** A protobuf duration: `41s` or `0.500000000s` in JSON, and `{ seconds, nanos }` if a library has unpacked it. */
export function readDuration(value: unknown): number | null {
  if (typeof value === 'string') {
    const seconds = /^(\d+(?:\.\d{1,9})?)s$/.exec(value)?.[1];
    return seconds === undefined ? null : toWaitMs(Number(seconds) * 1_000);
  }
  if (typeof value !== 'object' || value === null) {
    return null;
  }
  const { seconds = 0, nanos = 0 } = value as { readonly seconds?: unknown; readonly nanos?: unknown };
  const [wholeSeconds, parts] = [countOf(seconds), countOf(nanos)];
  return wholeSeconds === null || parts === null ? null : toWaitMs(wholeSeconds * 1_000 + parts / 1_000_000);
}

/** 64-bit integers are strings in protobuf's JSON. */
function countOf(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && count >= 0 ? count : null;
}

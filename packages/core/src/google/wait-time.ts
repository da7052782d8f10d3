/** No caller waits longer: a longer time says no more than "not today". */
const longestWaitMs = 24 * 60 * 60 * 1_000;

/** A date as HTTP writes it, `Sun, 06 Nov 1994 08:49:37 GMT`. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A time to wait that can be used as one: whole milliseconds, none below 0 and none above a day; null for what is no time. */
export function toWaitMs(timeMs: number | null): number | null {
  return timeMs === null || Number.isNaN(timeMs) || timeMs < 0 ? null : Math.ceil(Math.min(timeMs, longestWaitMs));
}

/**
 * The header `Retry-After` of a response, seconds or a date, as a time to wait in milliseconds from `nowMs` (since the epoch). Null
 * where there is none, or none that can be read; 0 for a date that has passed; a day at most.
 */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    return toWaitMs(Number(text) * 1_000);
  }
  return httpDate.test(text) ? toWaitMs(Math.max(0, Date.parse(text) - nowMs)) : null;
}

/** A duration of protobuf: in JSON `41s` or `0.500000000s`, and where a library has unpacked it `{ seconds, nanos }`. */
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

/** Whole numbers of 64 bits are texts in protobuf's JSON. */
function countOf(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && count >= 0 ? count : null;
}

import type { SessionSummary } from '../failure/gemini-failure.ts';
import { escapeName } from '../text/escape-name.ts';
import { countOf } from '../text/format-count.ts';

/** Dates end here (ECMA-262, time values). */
const lastTimeMs = 8.64e15;

/** A session on one line: id, beginning, length and time of the last use. Safe to show. */
export function sessionLine({
  id,
  title,
  turns,
  updatedAtMs,
}: Pick<SessionSummary, 'id' | 'title' | 'turns' | 'updatedAtMs'>): string {
  return `${escapeName(id)} "${escapeName(title)}" (${countOf(turns, 'turn')}, ${timeOf(updatedAtMs)})`;
}

function timeOf(timeMs: number): string {
  return Math.abs(timeMs) <= lastTimeMs ? new Date(timeMs).toISOString() : 'at an unknown time';
}

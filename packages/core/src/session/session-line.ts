import type { SessionSummary } from '../failure/gemini-failure.ts';
import { escapeName } from '../text/escape-name.ts';
import { countOf } from '../text/format-count.ts';

/** Beyond it there is no date (ECMA-262, time values). */
const lastTimeMs = 8.64e15;

/** A session on one line: its id, how it began, how long it is, when it was used last. Safe to show. */
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

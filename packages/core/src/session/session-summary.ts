import type { Session } from '../ports/session-store.ts';
import { titleOf } from './title-of.ts';

/** What tells one session from another. */
export type SessionSummary = {
  readonly id: string;
  /** The beginning of what was said first, on one line. Data from strangers: escape it before showing it. */
  readonly title: string;
  readonly turns: number;
  readonly updatedAtMs: number;
};

/** What a list of sessions says of one. */
export function summarizeSession({ id, turns, updatedAtMs }: Session): SessionSummary {
  return { id, title: titleOf(turns[0]?.text ?? ''), turns: turns.length, updatedAtMs };
}

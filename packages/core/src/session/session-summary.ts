import type { Session } from '../ports/session-store.ts';

/** What tells one session from another. */
export type SessionSummary = {
  readonly id: string;
  /** The beginning of what was said first, on one line. Data from strangers: escape it before showing it. */
  readonly title: string;
  readonly turns: number;
  readonly updatedAtMs: number;
};

const titleCharacters = 80;

export function summarizeSession({ id, turns, updatedAtMs }: Session): SessionSummary {
  const words = (turns[0]?.text ?? '').replace(/\s+/g, ' ').trim();
  const title = words.length > titleCharacters ? `${words.slice(0, titleCharacters)}…` : words;
  return { id, title, turns: turns.length, updatedAtMs };
}

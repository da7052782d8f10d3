import type { SessionSummary } from '../failure/gemini-failure.ts';
import type { Session } from '../ports/session-store.ts';
import { titleOf } from './title-of.ts';

/** The list entry of a session that takes `bytes`. */
export function summarizeSession(session: Session, bytes: number): SessionSummary {
  const { id, model, turns, createdAtMs, updatedAtMs } = session;
  return { id, title: titleOf(turns[0]?.text ?? ''), model, turns: turns.length, bytes, createdAtMs, updatedAtMs };
}

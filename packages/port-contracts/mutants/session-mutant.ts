import type { Session, SessionStore } from '@gemini-mcp/core';
import type { Mutant } from './prove-mutants.ts';

export type SessionStoreMutant = Mutant & { readonly mutate: (right: SessionStore) => Partial<SessionStore> };

export const neverAborted: AbortSignal = new AbortController().signal;

/** Keeps sessions with something changed. */
export function changingSessions(change: (session: Session) => Session): SessionStoreMutant['mutate'] {
  return (right) => ({ save: (session, version, signal) => right.save(change(session), version, signal) });
}

export function changingTexts(change: (text: string) => string): SessionStoreMutant['mutate'] {
  return changingSessions((session) => ({
    ...session,
    turns: session.turns.map((turn) => ({ ...turn, text: change(turn.text) })),
  }));
}

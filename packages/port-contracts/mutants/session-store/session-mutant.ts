import type { SaveResult, Session, SessionStore } from '@gemini-mcp/core';
import type { SessionStorePlace } from '../../src/session-store/session-store-harness.ts';
import type { Mutant } from '../prove-mutants.ts';
import type { BreakableSessionStore } from './breakable-session-store.ts';

type RightSessionStore = {
  readonly right: BreakableSessionStore;
  /** The same sessions, including the records that `right` finds damaged. */
  readonly whole: SessionStore;
  /** The options of the test. */
  readonly place: SessionStorePlace;
  /** Numbers that all instances over the place share. */
  readonly memory: Map<string, number>;
};

export type SessionStoreMutant = Mutant & {
  /** Other bounds, another clock or retention than the test asked for. */
  readonly editTarget?: (place: SessionStorePlace) => Partial<SessionStorePlace>;
  /** Called for each instance over a place. */
  readonly mutate?: (parts: RightSessionStore) => Partial<SessionStore>;
};

export const neverAborted: AbortSignal = new AbortController().signal;
export const unbounded: number = Number.MAX_SAFE_INTEGER;
export const conflict: SaveResult = { saved: false, reason: 'conflict' };

export function keyOf({ owner, id }: Pick<Session, 'owner' | 'id'>): string {
  return JSON.stringify([owner, id]);
}

/** Keeps changed sessions. */
export function changingSessions(change: (session: Session) => Session): Pick<SessionStoreMutant, 'mutate'> {
  return {
    mutate: ({ right }) => ({ save: (session, version, signal) => right.save(change(session), version, signal) }),
  };
}

export function changingTexts(change: (text: string) => string): Pick<SessionStoreMutant, 'mutate'> {
  return changingSessions((session) => ({
    ...session,
    turns: session.turns.map((turn) => ({ ...turn, text: change(turn.text) })),
  }));
}

import {
  type SaveResult,
  type Session,
  type SessionStore,
  type StoredSession,
  summarizeSession,
} from '@gemini-mcp/core';
import { expect } from 'vitest';

export type SessionStoreHarness = {
  readonly store: SessionStore;
  /** The same sessions as another process would see them. */
  readonly reopen: () => SessionStore;
  /** Makes every save fail, until what it resolves to is called. Null for a store where saving cannot fail. */
  readonly breakSaving: (() => Promise<() => Promise<void>>) | null;
  /** As `breakSaving`, for deletions. */
  readonly breakDeleting: (() => Promise<() => Promise<void>>) | null;
  /** Ways to make a saved session's record unreadable, by name. Null for a store whose records nothing else can write. */
  readonly damages: Readonly<Record<SessionDamage, (session: Session) => Promise<void>>> | null;
  readonly dispose: () => Promise<void>;
};

/** The end of the record is lost; it holds something else; a later version of the store wrote it, in a format of its own. */
export type SessionDamage = 'truncated' | 'foreign' | 'future';

export type OpenSessionStore = () => Promise<SessionStoreHarness>;

export function sessionOf(fields: Partial<Session> = {}): Session {
  return {
    id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    owner: 'alice',
    model: 'gemini-2.5-pro',
    workingDirectory: '/projects/a b',
    systemPrompt: null,
    createdAtMs: 1_000,
    updatedAtMs: 1_000,
    turns: [{ role: 'user', text: 'Hi \u{1f600}\r\n</file>', atMs: 1_000 }],
    ...fields,
  };
}

/** What a listing has to say of a session, however the store counts bytes. */
export function listed(session: Session): unknown {
  return summarizeSession(session, expect.any(Number));
}

export function idOf(letter: string): string {
  return letter.repeat(8).concat('-d9cb-469f-a165-70867728950e');
}

/** One that nothing is saved at, where there is none. */
export function versionOf(stored: SaveResult | StoredSession | null): number {
  return stored !== null && 'version' in stored ? stored.version : -1;
}

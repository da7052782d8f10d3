import {
  type Clock,
  type SaveResult,
  type Session,
  type SessionBounds,
  type SessionStore,
  type StoredSession,
  summarizeSession,
} from '@gemini-mcp/core';
import { expect } from 'vitest';
import type { Proof } from '../proof.ts';
import type { RecordDamage, StoreFeatures } from '../stores/store-features.ts';

/** The options of a test for a store. */
export type SessionStorePlace = {
  /** The store's only clock. */
  readonly clock: Clock;
  /** A session expires this long after its last update; null for never. Null if `retention` is not declared. */
  readonly retentionMs: number | null;
  /** In bytes as the store counts them: those of the texts and a few hundred more. */
  readonly bounds: SessionBounds;
};

export type SessionStoreFeatures = StoreFeatures & {
  /** Sessions expire a time after their last update: `retentionMs` of the place. */
  readonly retention: boolean;
};

export type SessionStoreHarness = {
  readonly store: SessionStore;
  /** The same sessions as another process would see them. */
  readonly reopen: () => SessionStore;
  /** Makes every save and every deletion fail until the returned function is called. */
  readonly breakWriting?: () => Promise<() => Promise<void>>;
  /** The same for deletions that make room after a save has written its own record. Missing if these cannot fail alone. */
  readonly breakEvicting?: () => Promise<() => Promise<void>>;
  /** Makes the record of a saved session unreadable. */
  readonly damage?: (session: Session, damage: RecordDamage) => Promise<void>;
  readonly dispose: () => Promise<void>;
};

/** Opens a store of its own for each test. Missing bounds are far away. */
export type OpenSessionStore = (place?: Partial<SessionStorePlace>) => Promise<SessionStoreHarness>;

export type SessionStoreSubject = {
  readonly proof: Proof;
  readonly open: OpenSessionStore;
  readonly features: SessionStoreFeatures;
};

export const signal: AbortSignal = new AbortController().signal;

export function sessionOf(fields: Partial<Session> = {}): Session {
  return {
    id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    owner: 'alice',
    model: 'gemini-2.5-pro',
    workingDirectory: '/projects/a b',
    systemPrompt: null,
    search: true,
    createdAtMs: 1_000,
    updatedAtMs: 1_000,
    turns: [{ role: 'user', text: 'Hi \u{1f600}\r\n</file>', atMs: 1_000 }],
    ...fields,
  };
}

/** The expected entry of a session in a list, with any number of bytes, which each store counts its own way. */
export function listed(session: Session): unknown {
  return summarizeSession(session, expect.any(Number));
}

export function idOf(letter: string): string {
  return letter.repeat(8).concat('-d9cb-469f-a165-70867728950e');
}

/** The id of a missing session. */
export function versionOf(stored: SaveResult | StoredSession | null): number {
  return stored !== null && 'version' in stored ? stored.version : -1;
}

import type { SaveResult, Session, SessionStore, StoredSession } from '@gemini-mcp/core';

export type SessionStoreHarness = {
  readonly store: SessionStore;
  /** The same sessions as another process would see them. */
  readonly reopen: () => SessionStore;
  /** Makes every save fail, until what it resolves to is called. For a store where saving can fail. */
  readonly breakSaving?: () => Promise<() => Promise<void>>;
  readonly dispose: () => Promise<void>;
};

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

export function idOf(letter: string): string {
  return letter.repeat(8).concat('-d9cb-469f-a165-70867728950e');
}

/** One that nothing is saved at, where there is none. */
export function versionOf(stored: SaveResult | StoredSession | null): number {
  return stored !== null && 'version' in stored ? stored.version : -1;
}

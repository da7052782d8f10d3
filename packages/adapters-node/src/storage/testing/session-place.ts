import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Session, SessionRecords, type SessionRecordsOptions } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import type { Quarantined } from '../../disk/durable/quarantine.ts';
import { FileRecordStore } from '../file-record-store.ts';

export const sessionId = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** A separate state directory, with access to its files. */
export type SessionPlace = {
  readonly directory: string;
  readonly clock: FakeClock;
  /** The files that the stores have set aside so far. */
  readonly quarantined: readonly Quarantined[];
  readonly open: (options?: Omit<SessionRecordsOptions, 'records'>) => SessionRecords;
  /** A session of Alice's, updated now. */
  readonly session: (fields?: Partial<Session>) => Session;
  /** The directory of the only owner. */
  readonly ownerDirectory: () => Promise<string>;
  /** The newest file of the session. */
  readonly contentsPath: (id?: string) => Promise<string>;
  /** The version that the session's head names. */
  readonly headVersion: () => Promise<number>;
  readonly dispose: () => Promise<void>;
};

export async function createSessionPlace(): Promise<SessionPlace> {
  const directory = await mkdtemp(join(tmpdir(), 'file-sessions-'));
  const clock = new FakeClock();
  const quarantined: Quarantined[] = [];
  const onQuarantine = (one: Quarantined): number => quarantined.push(one);
  const ownerDirectory = async (): Promise<string> => {
    const [owner] = await readdir(join(directory, 'records', 'sessions'));
    return join(directory, 'records', 'sessions', owner ?? 'no owner');
  };
  return {
    directory,
    clock,
    quarantined,
    open: (options = {}) =>
      new SessionRecords({ records: new FileRecordStore({ directory, clock, onQuarantine }), ...options }),
    session: (fields = {}) => ({ ...plainSession, updatedAtMs: clock.now(), ...fields }),
    ownerDirectory,
    contentsPath: async (id = sessionId) => {
      const path = join(await ownerDirectory(), id);
      const name = (await readdir(path)).find((one) => one.endsWith('.json'));
      return join(path, name ?? 'no contents');
    },
    headVersion: async () => {
      const names = await readdir(join(await ownerDirectory(), sessionId));
      return Number(names.find((name) => name.startsWith('head.'))?.split('.')[1]);
    },
    dispose: () => rm(directory, { recursive: true }),
  };
}

const plainSession: Session = {
  id: sessionId,
  owner: 'alice',
  model: null,
  workingDirectory: null,
  systemPrompt: null,
  createdAtMs: 1_000,
  updatedAtMs: 1_000,
  turns: [{ role: 'user', text: 'Hi', atMs: 1_000 }],
};

/** The paths of all files in a directory, relative to it. */
export async function filesIn(path: string): Promise<readonly string[]> {
  return (await readdir(path, { recursive: true })).sort();
}

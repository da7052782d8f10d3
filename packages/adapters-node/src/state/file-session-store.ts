import {
  type Clock,
  type DeleteResult,
  type SaveResult,
  type Session,
  type SessionBounds,
  type SessionStore,
  type SessionSummary,
  type StoredSession,
  storedSessionBounds,
  summarizeSession,
} from '@gemini-mcp/core';
import * as z from 'zod';
import { PrivateRecords } from './private-records.ts';
import type { Quarantined } from './quarantine.ts';
import { parseRecord } from './record-format.ts';

export type FileSessionStoreOptions = {
  /** The state directory: for this user alone, and made when it is needed. Several processes may share it. */
  readonly directory: string;
  readonly clock: Clock;
  /** How long a session is kept after its last update; null keeps it for ever. */
  readonly retentionMs: number | null;
  /** In bytes as sessions are stored; `storedSessionBounds` when it is missing. */
  readonly bounds?: SessionBounds;
  /** Told what stood in a session's place and was moved out of the way, for the log. */
  readonly onQuarantine?: (quarantined: Quarantined) => void;
};

const turnSchema = z.strictObject({ role: z.enum(['user', 'model']), text: z.string(), atMs: z.number() });

const sessionSchema = z.strictObject({
  id: z.string(),
  owner: z.string(),
  model: z.string().nullable(),
  workingDirectory: z.string().nullable(),
  systemPrompt: z.string().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  turns: z.array(turnSchema),
});

const summarySchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  model: z.string().nullable(),
  turns: z.number(),
  bytes: z.number(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});

/** What `crypto.randomUUID` mints. Lower case alone, as some disks take both cases for the same name. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Sessions as private files below `sessions/`, as the port promises: whole or not at all, through a kill at any moment and
 * with other processes on the same directory. A file in a session's place that is none is moved to `<name>.corrupt-<time>`
 * and the session is unknown. Sessions that are too old are unknown at once, and removed at the first use and hourly.
 * `list` looks at the names of all of the owner's sessions, and reads the beginnings of those that it returns. A session whose
 * file is damaged after its beginning, and as long as before, is listed until it is loaded.
 */
export class FileSessionStore implements SessionStore {
  readonly #records: PrivateRecords<Session, SessionSummary>;

  constructor({ directory, clock, retentionMs, bounds = storedSessionBounds, onQuarantine }: FileSessionStoreOptions) {
    this.#records = new PrivateRecords<Session, SessionSummary>({
      stateDirectory: directory,
      kind: 'sessions',
      clock,
      isKey: (key) => uuid.test(key),
      parse: (value, owner, key) =>
        parseRecord(sessionSchema, value, (session) => session.owner === owner && session.id === key),
      summarize: summarizeSession,
      parseSummary: (value, _, id) => {
        const { data } = summarySchema.safeParse(value);
        return data?.id === id ? data : null;
      },
      maxBytes: bounds.maxBytesOfRecord,
      bounds,
      maxAgeMs: retentionMs,
      onQuarantine: onQuarantine ?? (() => undefined),
    });
  }

  async load(owner: string, id: string, signal: AbortSignal): Promise<StoredSession | null> {
    const found = await this.#records.readIfAble(owner, id, signal);
    return found === null ? null : { session: found.value, version: found.version };
  }

  async save(session: Session, expectedVersion: number, signal: AbortSignal): Promise<SaveResult> {
    const { owner, id, updatedAtMs } = session;
    return this.#records.write({ owner, key: id, expectedVersion, stampMs: updatedAtMs, value: session }, signal);
  }

  async list(owner: string, limit: number, signal: AbortSignal): Promise<readonly SessionSummary[]> {
    return this.#records.summarizeNewest(owner, limit, signal);
  }

  async delete(owner: string, id: string, signal: AbortSignal): Promise<DeleteResult> {
    return this.#records.remove(owner, id, signal);
  }

  async owners(signal: AbortSignal): Promise<readonly string[]> {
    return this.#records.owners(signal);
  }
}

import type { SessionSummary } from '../failure/gemini-failure.ts';
import { isNumber, isText, isTrue, listOf, nullable, objectOf, oneOf, parseShape, type Shape } from '../json/shape.ts';
import type { RecordKind, RecordStore } from '../ports/record-store.ts';
import type {
  DeleteResult,
  SaveResult,
  Session,
  SessionStore,
  SessionTurn,
  StoredSession,
} from '../ports/session-store.ts';
import { InMemoryRecordStore } from '../records/in-memory-record-store.ts';
import { heldSessionBounds, type SessionBounds, storedSessionBounds } from './session-bounds.ts';
import { summarizeSession } from './session-summary.ts';

export type SessionRecordsOptions = {
  /** The store of the sessions. If missing, they are kept in memory for as long as the object lives. */
  readonly records?: RecordStore;
  /** How long a session is kept after its last update. Missing or null keeps sessions forever. */
  readonly retentionMs?: number | null;
  /** In bytes of a session's JSON. Defaults to `storedSessionBounds`, and to less in memory. */
  readonly bounds?: SessionBounds;
};

const members = {
  id: isText,
  owner: isText,
  model: nullable(isText),
  workingDirectory: nullable(isText),
  systemPrompt: nullable(isText),
  createdAtMs: isNumber,
  updatedAtMs: isNumber,
  turns: listOf(objectOf<SessionTurn>({ role: oneOf('user', 'model'), text: isText, atMs: isNumber })),
};

const isPlain = objectOf<Session>(members);
const isSearching = objectOf<Session>({ ...members, search: isTrue });
const isSession: Shape<Session> = (value): value is Session => isPlain(value) || isSearching(value);

type Summary = Omit<SessionSummary, 'id' | 'bytes'>;

const isSummary = objectOf<Summary>({
  title: isText,
  model: nullable(isText),
  turns: isNumber,
  createdAtMs: isNumber,
  updatedAtMs: isNumber,
});

/** Keeps sessions as records of any `RecordStore`. */
export class SessionRecords implements SessionStore {
  readonly #records: RecordStore;
  readonly #kind: RecordKind;

  constructor({ records, retentionMs = null, bounds }: SessionRecordsOptions = {}) {
    this.#records = records ?? new InMemoryRecordStore();
    const defaultBounds = records === undefined ? heldSessionBounds : storedSessionBounds;
    this.#kind = { ...(bounds ?? defaultBounds), name: 'sessions', maxAgeMs: retentionMs, whenFull: 'remove-oldest' };
  }

  async load(owner: string, id: string, signal: AbortSignal): Promise<StoredSession | null> {
    const found = await this.#records.get({ kind: this.#kind, owner, key: id }, signal);
    if (found === null || found === 'damaged') {
      return null;
    }
    const session = parseShape(isSession, found.text);
    return session === null ? null : { session, version: found.version };
  }

  async save(session: Session, expectedVersion: number, signal: AbortSignal): Promise<SaveResult> {
    signal.throwIfAborted();
    if (!isSession(session)) {
      return { saved: false, reason: 'unavailable', detail: 'it could not be read back' };
    }
    const { owner, id, updatedAtMs } = session;
    const { id: _id, bytes: _bytes, ...summary } = summarizeSession(session, 0);
    const place = { kind: this.#kind, owner, key: id };
    const record = { summary: JSON.stringify(summary), text: JSON.stringify(session) };
    return this.#records.put({ ...place, ...record, expectedVersion, stampMs: updatedAtMs }, signal);
  }

  async list(owner: string, limit: number, signal: AbortSignal): Promise<readonly SessionSummary[]> {
    const listed = await this.#records.list({ kind: this.#kind, owner }, limit, signal);
    return listed.flatMap(({ key, bytes, summary: text }) => {
      const summary = parseShape(isSummary, text);
      return summary === null ? [] : [{ id: key, bytes, ...summary }];
    });
  }

  async delete(owner: string, id: string, signal: AbortSignal): Promise<DeleteResult> {
    return this.#records.delete({ kind: this.#kind, owner, key: id }, signal);
  }

  async owners(signal: AbortSignal): Promise<readonly string[]> {
    return this.#records.owners(this.#kind, signal);
  }
}

import {
  type Clock,
  type DeleteResult,
  type SaveResult,
  type Session,
  type SessionBounds,
  type SessionStore,
  type SessionSummary,
  type StoredSession,
  summarizeSession,
  tooLargeToKeep,
} from '@gemini-mcp/core';
import type { Database, QueryResult } from 'node-sqlite3-wasm';

export type SqliteSessionStoreOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly retentionMs: number | null;
  readonly bounds: SessionBounds;
};

/**
 * Versions never repeat: AUTOINCREMENT gives no number twice, and a replaced session becomes a new row. While another process writes, calls wait.
 */
const schema = `PRAGMA busy_timeout = 5000; CREATE TABLE IF NOT EXISTS sessions (
  version INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, id TEXT NOT NULL, updated INTEGER NOT NULL,
  bytes INTEGER NOT NULL, format INTEGER NOT NULL, summary TEXT NOT NULL, record TEXT NOT NULL, UNIQUE (owner, id))`;

/** Of this format, whole and not forgotten. Neither needs to read the record. */
const isReadable = 'format = 1 AND octet_length(record) = bytes AND updated > :oldest';

const ownSurplus = `DELETE FROM sessions WHERE version IN (SELECT version FROM (
  SELECT version, ROW_NUMBER() OVER newest AS number, SUM(bytes) OVER newest AS total FROM sessions WHERE owner = :owner
  WINDOW newest AS (ORDER BY version = :saved DESC, updated DESC, id)) WHERE number > :records OR total > :bytes)`;

const totalSurplus = `DELETE FROM sessions WHERE version = (SELECT version FROM (
  SELECT version, updated, SUM(bytes) OVER (PARTITION BY owner) AS used, SUM(bytes) OVER () AS total FROM sessions)
  WHERE version <> :saved AND total > :bytes ORDER BY used DESC, updated LIMIT 1)`;

/** Sessions in a table of SQLite, which several processes may share. */
export class SqliteSessionStore implements SessionStore {
  readonly #options: SqliteSessionStoreOptions;

  constructor(options: SqliteSessionStoreOptions) {
    this.#options = options;
    options.database.exec(schema);
  }

  async load(owner: string, id: string, signal: AbortSignal): Promise<StoredSession | null> {
    const sql = `SELECT version, record FROM sessions WHERE owner = :owner AND id = :id AND ${isReadable}`;
    const [row] = this.#read(sql, { ':owner': key(owner), ':id': key(id) }, signal);
    return row ? { session: JSON.parse(String(row['record'])), version: Number(row['version']) } : null;
  }

  async save(session: Session, expectedVersion: number, signal: AbortSignal): Promise<SaveResult> {
    signal.throwIfAborted();
    const record = JSON.stringify(session);
    const bytes = Buffer.byteLength(record);
    if (bytes > this.#options.bounds.maxBytesOfRecord) {
      return { saved: false, reason: 'unavailable', detail: tooLargeToKeep(bytes, this.#options.bounds) };
    }
    const { database } = this.#options;
    try {
      database.exec('BEGIN IMMEDIATE');
      const saved = this.#replace(session, record, expectedVersion);
      database.exec('COMMIT');
      return saved;
    } catch (error) {
      database.exec(database.inTransaction ? 'ROLLBACK' : '');
      return { saved: false, reason: 'unavailable', detail: `the database refused: ${error}` };
    }
  }

  async list(owner: string, limit: number, signal: AbortSignal): Promise<readonly SessionSummary[]> {
    const sql = `SELECT summary FROM sessions WHERE owner = :owner AND ${isReadable} ORDER BY updated DESC, id LIMIT :limit`;
    const rows = this.#read(sql, { ':owner': key(owner), ':limit': limit }, signal);
    return rows.map((row) => JSON.parse(String(row['summary'])));
  }

  async delete(owner: string, id: string, signal: AbortSignal): Promise<DeleteResult> {
    signal.throwIfAborted();
    const sql = `DELETE FROM sessions WHERE owner = :owner AND id = :id AND ${isReadable}`;
    const values = { ':owner': key(owner), ':id': key(id), ':oldest': this.#oldest() };
    try {
      const { changes } = this.#options.database.run(sql, values);
      return changes > 0 ? { deleted: true } : { deleted: false, reason: 'unknown' };
    } catch (error) {
      return { deleted: false, reason: 'unavailable', detail: `the database refused: ${error}` };
    }
  }

  async owners(signal: AbortSignal): Promise<readonly string[]> {
    const rows = this.#read(`SELECT DISTINCT owner FROM sessions WHERE ${isReadable}`, {}, signal);
    return rows.map((row) => JSON.parse(String(row['owner'])));
  }

  #replace(session: Session, record: string, expectedVersion: number): SaveResult {
    const { database, bounds } = this.#options;
    const [owner, id] = [key(session.owner), key(session.id)];
    database.run('DELETE FROM sessions WHERE updated <= ?', [this.#oldest()]);
    const known = database.get('SELECT version FROM sessions WHERE owner = ? AND id = ?', [owner, id]);
    if (Number(known?.['version'] ?? 0) !== expectedVersion) {
      return { saved: false, reason: 'conflict' };
    }
    const bytes = Buffer.byteLength(record);
    const values = [owner, id, session.updatedAtMs, bytes, JSON.stringify(summarizeSession(session, bytes)), record];
    const insert =
      'REPLACE INTO sessions (owner, id, updated, bytes, summary, record, format) VALUES (?, ?, ?, ?, ?, ?, 1)';
    const { lastInsertRowid: saved } = database.run(insert, values);
    const own = { ':records': bounds.maxRecordsOfOwner, ':bytes': bounds.maxBytesOfOwner };
    database.run(ownSurplus, { ...own, ':owner': owner, ':saved': saved });
    let gone: number;
    do {
      gone = database.run(totalSurplus, { ':saved': saved, ':bytes': bounds.maxBytes }).changes;
    } while (gone > 0);
    return { saved: true, version: Number(saved) };
  }

  #read(sql: string, values: Record<string, string | number>, signal: AbortSignal): readonly QueryResult[] {
    signal.throwIfAborted();
    try {
      return this.#options.database.all(sql, { ...values, ':oldest': this.#oldest() });
    } catch {
      return [];
    }
  }

  #oldest(): number {
    const { clock, retentionMs } = this.#options;
    return retentionMs === null ? -1 : clock.now() - retentionMs;
  }
}

/** A text of SQLite ends at NUL; JSON contains none. */
function key(text: string): string {
  return JSON.stringify(text);
}

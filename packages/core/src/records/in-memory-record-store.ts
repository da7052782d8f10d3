import type { Clock } from '../ports/clock.ts';
import type {
  ListedRecord,
  RecordKind,
  RecordPlace,
  RecordStore,
  RecordToPut,
  StoredRecord,
} from '../ports/record-store.ts';
import type { DeleteResult, SaveResult } from '../ports/session-store.ts';
import { utf8Length } from '../text/utf8-length.ts';
import { RetentionIndex } from './retention-index.ts';
import { whyUnfit } from './why-unfit.ts';

type Held = RecordToPut & { readonly version: number; readonly bytes: number };

type Room = { readonly records: Map<string, Held>; readonly ledger: RetentionIndex };

/** Records that live as long as the object. */
export class InMemoryRecordStore implements RecordStore {
  readonly #clock: Pick<Clock, 'now'> | null;
  readonly #rooms = new Map<string, Room>();
  readonly #watchers = new Set<() => void>();
  /** Counts the puts of all records, so that no version is reused. */
  #puts = 0;

  /** Without a clock, nothing expires. */
  constructor(clock: Pick<Clock, 'now'> | null = null) {
    this.#clock = clock;
  }

  async get(place: RecordPlace, signal: AbortSignal): Promise<StoredRecord | null> {
    signal.throwIfAborted();
    const held = this.#find(place);
    return held === undefined ? null : { version: held.version, summary: held.summary, text: held.text };
  }

  async put(record: RecordToPut, signal: AbortSignal): Promise<SaveResult> {
    signal.throwIfAborted();
    const { kind, owner, key, stampMs } = record;
    const bytes = utf8Length(record.text) + utf8Length(record.summary);
    const problem = whyUnfit(record, bytes);
    if (problem !== null) {
      return { saved: false, reason: 'unavailable', detail: problem };
    }
    if ((this.#find(record)?.version ?? 0) !== record.expectedVersion) {
      return { saved: false, reason: 'conflict' };
    }
    const { records, ledger } = this.#roomOf(kind);
    const entry = { owner, key, stampMs, bytes };
    if (kind.whenFull === 'refuse' && !ledger.hasRoomFor(entry)) {
      return { saved: false, reason: 'unavailable', detail: 'there is no room for more' };
    }
    this.#puts += 1;
    records.set(nameOf(record), { ...record, version: this.#puts, bytes });
    ledger.put(entry);
    for (const surplus of ledger.takeSurplus(entry)) {
      records.delete(nameOf(surplus));
    }
    this.#tellWatchers();
    return { saved: true, version: this.#puts };
  }

  async list(
    { kind, owner }: Omit<RecordPlace, 'key'>,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly ListedRecord[]> {
    signal.throwIfAborted();
    return [...this.#current(kind).values()]
      .filter((held) => held.owner === owner)
      .sort((one, other) => other.stampMs - one.stampMs || (one.key < other.key ? -1 : 1))
      .slice(0, limit)
      .map(({ key, version, bytes, summary }) => ({ key, version, bytes, summary }));
  }

  async delete(place: RecordPlace, signal: AbortSignal): Promise<DeleteResult> {
    signal.throwIfAborted();
    if (this.#find(place) === undefined) {
      return { deleted: false, reason: 'unknown' };
    }
    const { records, ledger } = this.#roomOf(place.kind);
    records.delete(nameOf(place));
    ledger.drop(place);
    this.#tellWatchers();
    return { deleted: true };
  }

  async owners(kind: RecordKind, signal: AbortSignal): Promise<readonly string[]> {
    signal.throwIfAborted();
    return [...new Set([...this.#current(kind).values()].map(({ owner }) => owner))];
  }

  async watch(place: RecordPlace, version: number, signal: AbortSignal): Promise<void> {
    while ((this.#find(place)?.version ?? 0) === version) {
      await this.#nextChange(signal);
      signal.throwIfAborted();
    }
    signal.throwIfAborted();
  }

  /** Resolves at the next put or deletion of any record, or when the signal is aborted. */
  async #nextChange(signal: AbortSignal): Promise<void> {
    let stop = (): void => undefined;
    await new Promise<void>((resolve) => {
      stop = resolve;
      this.#watchers.add(stop);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) {
        stop();
      }
    });
    this.#watchers.delete(stop);
    signal.removeEventListener('abort', stop);
  }

  #tellWatchers(): void {
    for (const tell of this.#watchers) {
      tell();
    }
  }

  #find(place: RecordPlace): Held | undefined {
    return this.#current(place.kind).get(nameOf(place));
  }

  /** The records that have not expired. */
  #current(kind: RecordKind): ReadonlyMap<string, Held> {
    const { records, ledger } = this.#roomOf(kind);
    if (kind.maxAgeMs !== null && this.#clock !== null) {
      const oldestMs = this.#clock.now() - kind.maxAgeMs;
      for (const [name, held] of records) {
        if (held.stampMs <= oldestMs) {
          records.delete(name);
          ledger.drop(held);
        }
      }
    }
    return records;
  }

  #roomOf(kind: RecordKind): Room {
    const room = this.#rooms.get(kind.name) ?? { records: new Map<string, Held>(), ledger: new RetentionIndex(kind) };
    this.#rooms.set(kind.name, room);
    return room;
  }
}

function nameOf({ owner, key }: Pick<RecordPlace, 'owner' | 'key'>): string {
  return JSON.stringify([owner, key]);
}

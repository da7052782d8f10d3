import type {
  DeleteResult,
  ListedRecord,
  RecordKind,
  RecordPlace,
  RecordStore,
  RecordToPut,
  SaveResult,
  StoredRecord,
} from '@gemini-mcp/core';
import type { RecordDamage } from '../../src/stores/store-features.ts';

const fails = { reason: 'unavailable', detail: 'the disk is full' } as const;

/** A right store whose writing a test can break and whose records it can damage, over a store that knows neither. */
export class BreakableRecordStore implements RecordStore {
  isBroken = false;
  readonly #whole: RecordStore;
  readonly #damaged = new Map<string, RecordDamage>();

  constructor(whole: RecordStore) {
    this.#whole = whole;
  }

  damage(place: RecordPlace, damage: RecordDamage): void {
    this.#damaged.set(nameOf(place), damage);
  }

  damageOf(place: RecordPlace): RecordDamage | undefined {
    return this.#damaged.get(nameOf(place));
  }

  async get(place: RecordPlace, signal: AbortSignal): Promise<StoredRecord | 'damaged' | null> {
    const found = await this.#whole.get(place, signal);
    return this.#damaged.has(nameOf(place)) ? 'damaged' : found;
  }

  async put(record: RecordToPut, signal: AbortSignal): Promise<SaveResult> {
    signal.throwIfAborted();
    if (this.isBroken) {
      return { saved: false, ...fails };
    }
    if (record.expectedVersion === 0 && this.#damaged.delete(nameOf(record))) {
      await this.#whole.delete(record, signal);
    }
    return await this.#whole.put(record, signal);
  }

  async list(
    { kind, owner }: Omit<RecordPlace, 'key'>,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly ListedRecord[]> {
    const all = await this.#whole.list({ kind, owner }, Number.MAX_SAFE_INTEGER, signal);
    return all.filter(({ key }) => !this.#damaged.has(nameOf({ kind, owner, key }))).slice(0, limit);
  }

  async delete(place: RecordPlace, signal: AbortSignal): Promise<DeleteResult> {
    signal.throwIfAborted();
    return this.isBroken ? { deleted: false, ...fails } : await this.#whole.delete(place, signal);
  }

  async owners(kind: RecordKind, signal: AbortSignal): Promise<readonly string[]> {
    return await this.#whole.owners(kind, signal);
  }

  async watch(place: RecordPlace, version: number, signal: AbortSignal): Promise<void> {
    await this.#whole.watch(place, version, signal);
  }
}

function nameOf({ kind, owner, key }: RecordPlace): string {
  return JSON.stringify([kind.name, owner, key]);
}

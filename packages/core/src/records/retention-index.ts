import type { RecordBounds } from '../ports/record-store.ts';

/** A stored record and its size. */
export type RetentionEntry = {
  readonly owner: string;
  readonly key: string;
  /** Time of the last update, in milliseconds since the epoch. */
  readonly stampMs: number;
  readonly bytes: number;
};

type OwnerRecords = { readonly entries: Map<string, RetentionEntry>; bytes: number };

/** Tracks the sizes of records and chooses which to remove. */
export class RetentionIndex {
  readonly #bounds: RecordBounds;
  /** Holds only owners with records. */
  readonly #owners = new Map<string, OwnerRecords>();
  #bytes = 0;

  constructor(bounds: RecordBounds) {
    this.#bounds = bounds;
  }

  /** Adds a record, or replaces its previous entry. */
  put(entry: RetentionEntry): void {
    this.drop(entry);
    const records = this.#owners.get(entry.owner) ?? { entries: new Map<string, RetentionEntry>(), bytes: 0 };
    records.entries.set(entry.key, entry);
    records.bytes += entry.bytes;
    this.#bytes += entry.bytes;
    this.#owners.set(entry.owner, records);
  }

  /** Removes a record; unknown records are ignored. */
  drop({ owner, key }: Pick<RetentionEntry, 'owner' | 'key'>): void {
    const records = this.#owners.get(owner);
    const entry = records?.entries.get(key);
    if (records === undefined || entry === undefined) {
      return;
    }
    records.entries.delete(key);
    records.bytes -= entry.bytes;
    this.#bytes -= entry.bytes;
    if (records.entries.size === 0) {
      this.#owners.delete(owner);
    }
  }

  /** Whether a record fits without removing any other. */
  hasRoomFor({ owner, key, bytes }: RetentionEntry): boolean {
    const records = this.#owners.get(owner);
    const replaced = records?.entries.get(key);
    const added = bytes - (replaced?.bytes ?? 0);
    const count = (records?.entries.size ?? 0) + (replaced === undefined ? 1 : 0);
    const { maxRecordsOfOwner, maxBytesOfOwner, maxBytes } = this.#bounds;
    return (
      count <= maxRecordsOfOwner && (records?.bytes ?? 0) + added <= maxBytesOfOwner && this.#bytes + added <= maxBytes
    );
  }

  /**
   * Removes and returns the surplus after `saved` was added. First go the oldest records of the owner that saved, until it is within its own bounds.
   * Then, while all owners together exceed the total, the oldest of the owner that holds the most. So an owner within its fair share (the room
   * without the saved record, divided by all owners) loses nothing to another. The saved record stays.
   */
  takeSurplus(saved: Pick<RetentionEntry, 'owner' | 'key'>): readonly RetentionEntry[] {
    const surplus: RetentionEntry[] = [];
    // Sorted once: a large record can displace thousands of small ones, and there can be thousands of owners.
    const newestFirst = new Map<string, RetentionEntry[]>();
    const takeOldest = (owner: string): boolean => {
      const entries = newestFirst.get(owner) ?? this.#listNewestFirst(owner, saved);
      newestFirst.set(owner, entries);
      const oldest = entries.pop();
      if (oldest !== undefined) {
        this.drop(oldest);
        surplus.push(oldest);
      }
      return oldest !== undefined;
    };
    let mayHaveMore = true;
    while (mayHaveMore && this.#isOverOwnBounds(saved.owner)) {
      mayHaveMore = takeOldest(saved.owner);
    }
    const owners = this.#bytes > this.#bounds.maxBytes ? this.#listSmallestFirst() : [];
    while (this.#bytes > this.#bounds.maxBytes) {
      const largest = owners.pop();
      if (largest === undefined) {
        break;
      }
      if (takeOldest(largest) && this.#owners.has(largest)) {
        owners.splice(this.#placeOf(largest, owners), 0, largest);
      }
    }
    return surplus;
  }

  #isOverOwnBounds(owner: string): boolean {
    const { maxRecordsOfOwner, maxBytesOfOwner } = this.#bounds;
    const records = this.#owners.get(owner);
    return records !== undefined && (records.entries.size > maxRecordsOfOwner || records.bytes > maxBytesOfOwner);
  }

  /** Without the saved record, which stays. Among entries of the same time, the one added first counts as the oldest. */
  #listNewestFirst(owner: string, saved: Pick<RetentionEntry, 'owner' | 'key'>): RetentionEntry[] {
    return [...(this.#owners.get(owner)?.entries.values() ?? [])]
      .filter((entry) => entry.owner !== saved.owner || entry.key !== saved.key)
      .reverse()
      .sort((one, other) => other.stampMs - one.stampMs);
  }

  #listSmallestFirst(): string[] {
    return [...this.#owners]
      .reverse()
      .sort(([, one], [, other]) => one.bytes - other.bytes)
      .map(([owner]) => owner);
  }

  /** The index at which an owner belongs in a list sorted from the smallest to the largest. */
  #placeOf(owner: string, smallestFirst: readonly string[]): number {
    const bytes = this.#bytesOf(owner);
    let start = 0;
    let end = smallestFirst.length;
    while (start < end) {
      const middle = Math.floor((start + end) / 2);
      if (this.#bytesOf(smallestFirst[middle]) < bytes) {
        start = middle + 1;
      } else {
        end = middle;
      }
    }
    return start;
  }

  #bytesOf(owner: string | undefined): number {
    return owner === undefined ? 0 : (this.#owners.get(owner)?.bytes ?? 0);
  }
}

/** How much may be kept of what owners leave behind: conversations, or long answers. */
export type RecordBounds = {
  readonly maxRecordsOfOwner: number;
  readonly maxBytesOfOwner: number;
  /** Of all owners together. */
  readonly maxBytes: number;
};

/** Something that is kept, and how much room it takes. */
export type LedgerEntry = {
  readonly owner: string;
  readonly key: string;
  /** When it was last updated. */
  readonly stampMs: number;
  readonly bytes: number;
};

type OwnerRecords = { readonly entries: Map<string, LedgerEntry>; bytes: number };

/** Keeps account of records, and says which have to go. */
export class RecordLedger {
  readonly #bounds: RecordBounds;
  /** No owner is in it without a record. */
  readonly #owners = new Map<string, OwnerRecords>();
  #bytes = 0;

  constructor(bounds: RecordBounds) {
    this.#bounds = bounds;
  }

  /** Enters a record, in the place of what was known of it. */
  put(entry: LedgerEntry): void {
    this.drop(entry);
    const records = this.#owners.get(entry.owner) ?? { entries: new Map<string, LedgerEntry>(), bytes: 0 };
    records.entries.set(entry.key, entry);
    records.bytes += entry.bytes;
    this.#bytes += entry.bytes;
    this.#owners.set(entry.owner, records);
  }

  /** Strikes a record out; an unknown one is no error. */
  drop({ owner, key }: Pick<LedgerEntry, 'owner' | 'key'>): void {
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

  /**
   * Strikes out what is too much once `saved` was entered, and returns it. First go the oldest records of the owner that
   * saved, until it is within its own bounds. Then, while all owners together have too much, the oldest of the owner that has
   * the most: so an owner that has no more than its part (the room beside what was saved, divided by all owners) loses nothing
   * to another. What was saved stays.
   */
  takeSurplus(saved: Pick<LedgerEntry, 'owner' | 'key'>): readonly LedgerEntry[] {
    const surplus: LedgerEntry[] = [];
    while (this.#isOverOwnBounds(saved.owner)) {
      const oldest = this.#oldestOf(saved.owner, saved);
      if (oldest === null) {
        break;
      }
      this.drop(oldest);
      surplus.push(oldest);
    }
    while (this.#bytes > this.#bounds.maxBytes) {
      const oldest = this.#oldestOfLargest(saved);
      if (oldest === null) {
        break;
      }
      this.drop(oldest);
      surplus.push(oldest);
    }
    return surplus;
  }

  #isOverOwnBounds(owner: string): boolean {
    const { maxRecordsOfOwner, maxBytesOfOwner } = this.#bounds;
    const records = this.#owners.get(owner);
    return records !== undefined && (records.entries.size > maxRecordsOfOwner || records.bytes > maxBytesOfOwner);
  }

  #oldestOf(owner: string, saved: Pick<LedgerEntry, 'owner' | 'key'>): LedgerEntry | null {
    let oldest: LedgerEntry | null = null;
    for (const entry of this.#owners.get(owner)?.entries.values() ?? []) {
      const isSaved = entry.owner === saved.owner && entry.key === saved.key;
      if (!isSaved && (oldest === null || entry.stampMs < oldest.stampMs)) {
        oldest = entry;
      }
    }
    return oldest;
  }

  #oldestOfLargest(saved: Pick<LedgerEntry, 'owner' | 'key'>): LedgerEntry | null {
    const bySize = [...this.#owners].sort(([, one], [, other]) => other.bytes - one.bytes);
    for (const [owner] of bySize) {
      const oldest = this.#oldestOf(owner, saved);
      if (oldest !== null) {
        return oldest;
      }
    }
    return null;
  }
}

import type { RecordDamage } from '../src/store-features.ts';

/** Records in memory that can be damaged, and whose writing can fail. */
export class BreakableRecords<Value> {
  readonly values: Map<string, Value> = new Map();
  readonly damaged: Set<string> = new Set();
  isBroken = false;

  /** Null for one that is missing, damaged, or cannot be reached. */
  read(key: string): Value | null {
    return this.isBroken || this.damaged.has(key) ? null : (this.values.get(key) ?? null);
  }

  /** Whether it was written. */
  write(key: string, value: Value): boolean {
    if (!this.isBroken) {
      this.damaged.delete(key);
      this.values.set(key, value);
    }
    return !this.isBroken;
  }

  damage(key: string, _damage: RecordDamage): void {
    this.damaged.add(key);
  }

  async breakWriting(): Promise<() => Promise<void>> {
    this.isBroken = true;
    return async () => {
      this.isBroken = false;
    };
  }
}

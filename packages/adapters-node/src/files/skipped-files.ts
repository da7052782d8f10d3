import type { LeftOut, LeftOutReason } from '@gemini-mcp/core';

/** Keeps the list bounded for a tree of any size. */
const maxListedPerReason = 1_000;

/** The part of an entry that gives the reason. */
export type Cause = Pick<LeftOut, 'reason' | 'detail'>;

type Uncounted = { readonly entry: LeftOut; readonly count: number };

/** Collects entries that are left out, in the order of discovery. */
export class SkippedFiles {
  readonly #listed: LeftOut[] = [];
  readonly #counts = new Map<string, number>();
  readonly #surplus = new Map<string, Uncounted>();

  /** Adds an entry that the caller named. */
  addNamed(path: string, origin: LeftOut['origin'], cause: Cause): void {
    this.#listed.push(createEntry(path, origin, cause));
  }

  /** Adds an entry that a walk found. After the thousandth for one reason, further entries of each source are merged into one. */
  addFound(path: string, origin: LeftOut['origin'], source: string, cause: Cause): void {
    const kind = `${origin} ${cause.reason}`;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count <= maxListedPerReason) {
      this.#listed.push(createEntry(path, origin, cause));
    } else {
      this.#addSurplus(`${kind} ${source}`, source, origin, cause.reason);
    }
  }

  entries(): readonly LeftOut[] {
    const aggregates = [...this.#surplus.values()].map(({ entry, count }) => ({
      ...entry,
      detail: `and ${count} more`,
    }));
    return [...this.#listed, ...aggregates];
  }

  #addSurplus(key: string, path: string, origin: LeftOut['origin'], reason: LeftOutReason): void {
    const known = this.#surplus.get(key);
    this.#surplus.set(key, { entry: { path, reason, origin }, count: (known?.count ?? 0) + 1 });
  }
}

function createEntry(path: string, origin: LeftOut['origin'], { reason, detail }: Cause): LeftOut {
  return detail === undefined ? { path, reason, origin } : { path, reason, origin, detail };
}

import type { ApprovalStore, ApprovalToKeep, LastingApproval } from '@gemini-mcp/core';

/** What the right store does at each point where a wrong one does something else. */
export type ApprovalStorePoints = {
  readonly idOf: (approval: Pick<ApprovalToKeep, 'allows' | 'directory'>) => string;
  /** Whether a record that cannot be read is given back all the same. */
  readonly readsDamaged: boolean;
  /** Whether the id of a record is looked at again when it is read. */
  readonly checksIds: boolean;
  readonly keepsFirst: boolean;
  /** Whether what cannot be read makes room for what is added. */
  readonly replacesDamaged: boolean;
  /** Whether it writes what it read before, with what is added. */
  readonly rewritesAll: boolean;
};

type Entry = { readonly approval: LastingApproval; readonly isDamaged: boolean };

export const rightPoints: ApprovalStorePoints = {
  idOf: ({ allows, directory }) =>
    allows.type === 'command'
      ? JSON.stringify([directory, allows.network, ...allows.prefix])
      : JSON.stringify([directory, { server: allows.server, tool: allows.tool, digest: allows.digest }]),
  readsDamaged: false,
  checksIds: true,
  keepsFirst: true,
  replacesDamaged: true,
  rewritesAll: false,
};

/** A store in memory whose records can be damaged and whose writing can fail. */
export class BreakableApprovalStore implements ApprovalStore {
  readonly #points: ApprovalStorePoints;
  #entries = new Map<string, Entry>();
  #isBroken = false;

  constructor(points: ApprovalStorePoints) {
    this.#points = points;
  }

  async list(_signal: AbortSignal): Promise<readonly LastingApproval[]> {
    const { readsDamaged } = this.#points;
    return [...this.#entries.values()]
      .filter((entry) => (readsDamaged || !entry.isDamaged) && this.#hasItsId(entry))
      .map(({ approval }) => approval);
  }

  async add({ allows, directory, allowedAtMs }: ApprovalToKeep, _signal: AbortSignal): Promise<string | null> {
    if (this.#isBroken) {
      return 'The disk is full.';
    }
    const { idOf, keepsFirst, replacesDamaged, rewritesAll } = this.#points;
    const id = idOf({ allows, directory });
    const read = new Map(this.#entries);
    if (rewritesAll) {
      await Promise.resolve();
    }
    const entries = rewritesAll ? read : this.#entries;
    const there = entries.get(id);
    if (!keepsFirst || there === undefined || (replacesDamaged && there.isDamaged)) {
      entries.set(id, { approval: { id, allows, directory, allowedAtMs }, isDamaged: false });
    }
    this.#entries = entries;
    return null;
  }

  async revoke(id: string, _signal: AbortSignal): Promise<boolean> {
    return this.#entries.delete(id);
  }

  breakWriting(): () => void {
    this.#isBroken = true;
    return () => {
      this.#isBroken = false;
    };
  }

  damage({ id }: LastingApproval): void {
    this.#change(id, (entry) => ({ ...entry, isDamaged: true }));
  }

  edit({ id }: LastingApproval, prefix: readonly [string, ...string[]]): void {
    this.#change(id, ({ approval, isDamaged }) => {
      const allows = { type: 'command', prefix, network: false } as const;
      return { approval: { ...approval, allows }, isDamaged };
    });
  }

  #change(id: string, change: (entry: Entry) => Entry): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) {
      this.#entries.set(id, change(entry));
    }
  }

  #hasItsId({ approval }: Entry): boolean {
    const { checksIds, idOf } = this.#points;
    return !checksIds || idOf(approval) === approval.id;
  }
}

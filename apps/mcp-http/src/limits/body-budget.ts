/** How much of all bodies together may be in memory at one time, and of those of one owner. */
export type BodyBudgetOptions = {
  readonly maxBytes: number;
  readonly maxBytesOfOwner: number;
};

/** The part of a budget that one body holds. */
export type BodyAllowance = {
  /** Takes so many bytes more, or says that there are none. */
  take(bytes: number): boolean;
  /** Gives all of them back. */
  release(): void;
};

/**
 * Counts the bytes of bodies that are being read, so that many senders together, or one with all its requests, cannot fill the memory
 * (read-body-bounds.test.ts). Node bounds no bodies.
 */
export class BodyBudget {
  readonly #options: BodyBudgetOptions;
  readonly #takenBy = new Map<string, number>();
  #taken = 0;

  constructor(options: BodyBudgetOptions) {
    this.#options = options;
  }

  /** In use now. */
  get takenBytes(): number {
    return this.#taken;
  }

  open(owner: string): BodyAllowance {
    let held = 0;
    return {
      take: (bytes) => {
        const isTaken = this.#take(owner, bytes);
        held += isTaken ? bytes : 0;
        return isTaken;
      },
      release: () => {
        this.#giveBack(owner, held);
        held = 0;
      },
    };
  }

  #take(owner: string, bytes: number): boolean {
    const ofOwner = (this.#takenBy.get(owner) ?? 0) + bytes;
    const { maxBytes, maxBytesOfOwner } = this.#options;
    if (this.#taken + bytes > maxBytes || ofOwner > maxBytesOfOwner) {
      return false;
    }
    this.#taken += bytes;
    this.#takenBy.set(owner, ofOwner);
    return true;
  }

  #giveBack(owner: string, bytes: number): void {
    const left = (this.#takenBy.get(owner) ?? 0) - bytes;
    this.#taken -= bytes;
    if (left > 0) {
      this.#takenBy.set(owner, left);
    } else {
      this.#takenBy.delete(owner);
    }
  }
}

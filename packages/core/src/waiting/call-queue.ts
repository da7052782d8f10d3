export type CallQueueOptions = {
  /** Calls that may run at once; at least 1. */
  readonly maxRunning: number;
  /** Calls that may wait for a slot, of all owners together. */
  readonly maxQueued: number;
  /**
   * Whether several owners share the queue: then no owner holds more than its share of the running and of the waiting slots. Otherwise, or if
   * missing, one owner may hold all of them.
   */
  readonly hasSeveralOwners?: boolean;
};

/** A call's slot, held or waited for. */
export type QueueTicket = {
  /** False if the call was admitted immediately. */
  readonly mustWait: boolean;
  /** Number of calls before this one, at the time it came. Owners at their share may be passed over. */
  readonly ahead: number;
  /** Resolves when the call may run; never settles if the ticket is given back before. Never rejects. */
  readonly admitted: Promise<void>;
  /**
   * Gives back the slot, held or waited for. Only the first call counts. `ranForMs`, how long the call held its slot, improves the retry estimate for
   * refused calls.
   */
  leave(ranForMs?: number): void;
};

/** With a shorter estimate many calls would return at once, with a longer one they would miss free slots. */
const minRetryAfterMs = 1_000;
const maxRetryAfterMs = 60_000;

type Call = {
  readonly owner: string;
  state: 'waiting' | 'running' | 'left';
  readonly admit: () => void;
};

/**
 * Lets a few calls run at once and a few more wait, and shares both fairly.
 *
 * Waiting owners take turns: each free slot goes to the owner that has waited longest since its last turn or, before its first, since it began to
 * wait; within an owner, to the call that came first. So with k owners waiting, each waits for at most k - 1 turns of others before each of its own.
 * Immediate admission does not count as a turn.
 *
 * With several owners, none holds more than its share (`fairShare`) of either kind of slot, even while it is alone: the rest is reserved for others,
 * so that no single owner can block another. An owner at its share is passed over until one of its own calls ends. An assigned slot is never taken
 * back.
 */
export class CallQueue {
  readonly #options: CallQueueOptions;
  /** Of one owner. */
  readonly #maxRunningOfOwner: number;
  /** Of one owner. */
  readonly #maxQueuedOfOwner: number;
  readonly #waiting = new WaitingLines<Call>();
  readonly #durations = new CallDurations();
  /** Running calls of each owner; owners without running calls are absent. */
  readonly #runningOf = new Map<string, number>();
  #running = 0;

  constructor(options: CallQueueOptions) {
    const { maxRunning, maxQueued, hasSeveralOwners = false } = options;
    this.#options = options;
    this.#maxRunningOfOwner = hasSeveralOwners ? fairShare(maxRunning) : maxRunning;
    this.#maxQueuedOfOwner = hasSeveralOwners ? fairShare(maxQueued) : maxQueued;
  }

  get load(): { readonly running: number; readonly queued: number } {
    return { running: this.#running, queued: this.#waiting.length };
  }

  /**
   * When a refused owner may expect a free slot, from the recent durations of calls: about the time until a running call ends (one of its own if it
   * is at its share), times the owners that take turns. An estimate between a second and a minute; before the first call has ended, it rests on a
   * typical duration.
   */
  retryAfterMs(owner: string): number {
    const isAtItsShare = this.#waiting.lengthOf(owner) >= this.#maxQueuedOfOwner;
    const places = isAtItsShare ? this.#maxRunningOfOwner : this.#options.maxRunning;
    const estimateMs = Math.ceil((this.#durations.averageMs / places) * Math.max(1, this.#waiting.owners));
    return Math.min(Math.max(estimateMs, minRetryAfterMs), maxRetryAfterMs);
  }

  /** Takes a slot for a call, or returns null if the queue is full. Every ticket must be left in the end. */
  enter(owner: string): QueueTicket | null {
    const mustWait = !this.#mayRun(owner);
    if (mustWait && !this.#mayWait(owner)) {
      return null;
    }
    const ahead = mustWait ? this.#waiting.aheadOfNext(owner) : 0;
    let admit = (): void => undefined;
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    const call: Call = { owner, state: 'waiting', admit };
    if (mustWait) {
      this.#waiting.join(owner, call);
    } else {
      this.#run(call);
    }
    return { mustWait, ahead, admitted, leave: (ranForMs) => this.#leave(call, ranForMs) };
  }

  /** If this is true for another owner, a waiting owner is at its share: no slot stays empty without reason. */
  #mayRun(owner: string): boolean {
    return this.#running < this.#options.maxRunning && (this.#runningOf.get(owner) ?? 0) < this.#maxRunningOfOwner;
  }

  #mayWait(owner: string): boolean {
    return this.#waiting.length < this.#options.maxQueued && this.#waiting.lengthOf(owner) < this.#maxQueuedOfOwner;
  }

  #run(call: Call): void {
    call.state = 'running';
    this.#running += 1;
    this.#runningOf.set(call.owner, (this.#runningOf.get(call.owner) ?? 0) + 1);
    call.admit();
  }

  #leave(call: Call, ranForMs?: number): void {
    const { owner, state } = call;
    if (state === 'left') {
      return;
    }
    call.state = 'left';
    if (state === 'waiting') {
      this.#waiting.remove(owner, call);
      return;
    }
    this.#forgetRunOf(owner);
    if (ranForMs !== undefined) {
      this.#durations.record(ranForMs);
    }
    const next = this.#waiting.takeNext((candidate) => this.#mayRun(candidate));
    if (next !== undefined) {
      this.#run(next);
    }
  }

  #forgetRunOf(owner: string): void {
    this.#running -= 1;
    const left = (this.#runningOf.get(owner) ?? 0) - 1;
    if (left > 0) {
      this.#runningOf.set(owner, left);
    } else {
      this.#runningOf.delete(owner);
    }
  }
}

/**
 * How many of `places` one owner may hold if others may come: two thirds, rounded down, but at least one. Slots are not taken back, and a call may
 * hold one for an hour. So whatever one owner holds, the rest is at least half of what another could hold if it were alone. A single slot cannot be
 * shared.
 */
export function fairShare(places: number): number {
  return places < 2 ? places : Math.max(1, Math.floor((places * 2) / 3));
}

/** One line of waiting entries for each owner, served in turn. */
class WaitingLines<Entry> {
  /** In the order of their turns; no line is empty. */
  readonly #lines = new Map<string, Entry[]>();
  #length = 0;

  /** Over all lines. */
  get length(): number {
    return this.#length;
  }

  lengthOf(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  get owners(): number {
    return this.#lines.size;
  }

  /** How many entries would be taken before a new entry of this owner, if no other joined after it. */
  aheadOfNext(owner: string): number {
    const own = this.lengthOf(owner);
    let ahead = own;
    // Owners whose turn comes earlier in each round get one turn more; a new owner's turn is the last.
    let turnsOfOthers = own + 1;
    for (const [other, line] of this.#lines) {
      if (other === owner) {
        turnsOfOthers = own;
      } else {
        ahead += Math.min(line.length, turnsOfOthers);
      }
    }
    return ahead;
  }

  join(owner: string, entry: Entry): void {
    const line = this.#lines.get(owner);
    this.#length += 1;
    if (line === undefined) {
      this.#lines.set(owner, [entry]);
    } else {
      line.push(entry);
    }
  }

  remove(owner: string, entry: Entry): void {
    const line = this.#lines.get(owner);
    const index = line?.indexOf(entry) ?? -1;
    if (line === undefined || index < 0) {
      return;
    }
    line.splice(index, 1);
    this.#length -= 1;
    if (line.length === 0) {
      this.#lines.delete(owner);
    }
  }

  /**
   * The first entry of the owner whose turn it is, among those that may take one. The owner's next turn comes after everyone else's. Owners that are
   * passed over keep their turns.
   */
  takeNext(mayTake: (owner: string) => boolean): Entry | undefined {
    for (const [owner, line] of this.#lines) {
      if (!mayTake(owner)) {
        continue;
      }
      const entry = line.shift();
      this.#length -= 1;
      this.#lines.delete(owner);
      if (line.length > 0) {
        this.#lines.set(owner, line);
      }
      return entry;
    }
    return undefined;
  }
}

/** A typical duration, assumed until a call has ended. */
const assumedMs = 20_000;

/** The weight of the latest call: after ten calls, the initial assumption counts for a tenth. */
const weightOfLatest = 0.2;

/** The recent duration of calls, as one number: newer calls count more. */
export class CallDurations {
  #averageMs = assumedMs;

  get averageMs(): number {
    return this.#averageMs;
  }

  record(durationMs: number): void {
    this.#averageMs += (durationMs - this.#averageMs) * weightOfLatest;
  }
}

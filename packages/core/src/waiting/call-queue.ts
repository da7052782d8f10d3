export type CallQueueOptions = {
  /** Calls that may run at once; at least 1. */
  readonly maxRunning: number;
  /** Calls that may wait for a place, of all owners together. */
  readonly maxQueued: number;
  /**
   * Whether calls of several owners may come: then no owner holds more than its share of the places that run and of those
   * that wait. Otherwise, as when it is missing, an owner may hold all of them.
   */
  readonly hasSeveralOwners?: boolean;
};

/** A call's place, waited for or had. */
export type QueueTicket = {
  /** False for a call that was admitted as it came. */
  readonly mustWait: boolean;
  /** Calls whose turns come before this one's, as things stood when it came. Owners at their share may be passed over. */
  readonly ahead: number;
  /** Resolves when the call may run; stays pending for good when the ticket is given back before. Never rejects. */
  readonly admitted: Promise<void>;
  /**
   * Gives the place back, had or waited for. Once does it; any further time does nothing. `ranForMs`, the time for which the
   * call had its place, tells those who are turned away when to come again.
   */
  leave(ranForMs?: number): void;
};

/** An estimate of less would make many come back at once, and one of more would keep them away from places that are free. */
const minRetryAfterMs = 1_000;
const maxRetryAfterMs = 60_000;

type Call = {
  readonly owner: string;
  state: 'waiting' | 'running' | 'left';
  readonly admit: () => void;
};

/**
 * Lets a few calls run at once and a few more wait, and shares both out fairly.
 *
 * Owners that wait take turns: each place that becomes free goes to the one who has waited longest since its last turn or,
 * before its first, since it began to wait; within an owner to the call that came first. So with k owners waiting, none waits
 * for more than k - 1 turns of others before each of its own. A call that is admitted as it comes is no turn.
 *
 * Where several owners may come, none holds more than its share (`fairShare`) of either kind of place, also while it is
 * alone: the rest is kept for others, so that no single owner can make another wait or turn it away. An owner at its
 * share is passed over until one of its own calls has ended. A place that was given is not taken back.
 */
export class CallQueue {
  readonly #options: CallQueueOptions;
  /** Of one owner. */
  readonly #maxRunningOfOwner: number;
  /** Of one owner. */
  readonly #maxQueuedOfOwner: number;
  readonly #waiting = new WaitingLines<Call>();
  readonly #durations = new CallDurations();
  /** How many calls each owner has running; owners with none are not in it. */
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
   * When an owner that was turned away may expect a place to be free, by how long calls have taken of late: about the time in
   * which one of those that run ends (of its own, where it holds its share), as often as there are owners that take turns.
   * An estimate, never less than a second and never more than a minute; until a call has ended it rests on what a call
   * commonly takes.
   */
  retryAfterMs(owner: string): number {
    const isAtItsShare = this.#waiting.lengthOf(owner) >= this.#maxQueuedOfOwner;
    const places = isAtItsShare ? this.#maxRunningOfOwner : this.#options.maxRunning;
    const estimateMs = Math.ceil((this.#durations.averageMs / places) * Math.max(1, this.#waiting.owners));
    return Math.min(Math.max(estimateMs, minRetryAfterMs), maxRetryAfterMs);
  }

  /** Takes a place for a call, or says at once that there is none: null. Every ticket must be left in the end. */
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

  /** An owner that waits while this is true for another is at its share: a place is never left empty for nothing. */
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
 * How many of `places` one owner may hold while others may come: two thirds, rounded down, but never none of them. Places
 * are not taken back, and a call may keep one for an hour. So whatever one owner holds, at least half as many places are
 * left as another could hold if it were alone. A single place cannot be shared.
 */
export function fairShare(places: number): number {
  return places < 2 ? places : Math.max(1, Math.floor((places * 2) / 3));
}

/** One line of waiting entries an owner, served in turn. */
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

  /** How many would be taken before an entry that joined its owner's line now, if no other joined after it. */
  aheadOfNext(owner: string): number {
    const own = this.lengthOf(owner);
    let ahead = own;
    // Who has a turn before this owner in each round has one more than who has it after; a new owner's turn is the last.
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
   * The first of the line whose turn it is, among the owners that may have one; its owner's next turn comes after everybody
   * else's. Owners that are passed over keep their turns.
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

/** What a call commonly takes; believed until one has ended. */
const assumedMs = 20_000;

/** How much of the average the latest call makes up: after ten, what was assumed counts for a tenth. */
const weightOfLatest = 0.2;

/** How long calls take of late, as one number: the newer a call, the more it counts. */
export class CallDurations {
  #averageMs = assumedMs;

  get averageMs(): number {
    return this.#averageMs;
  }

  record(durationMs: number): void {
    this.#averageMs += (durationMs - this.#averageMs) * weightOfLatest;
  }
}

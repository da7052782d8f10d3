import { CallDurations } from './call-durations.ts';
import { WaitingLines } from './waiting-lines.ts';

export type CallQueueOptions = {
  /** Calls that may run at once; at least 1. */
  readonly maxRunning: number;
  /** Calls that may wait for a place, of all owners together. */
  readonly maxQueued: number;
};

/** A call's place, waited for or had. */
export type QueueTicket = {
  /** False for a call that was admitted as it came. */
  readonly mustWait: boolean;
  /** Calls that will be admitted before this one, as things stood when it came. */
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
 * An owner may take every place in the queue while it is alone. While another has a call running or waiting, an owner that
 * holds half of the places (rounded up) gets no more; nor does one that had more than half when another was turned away,
 * until it is back at half. Nobody is put out of a place that was given.
 */
export class CallQueue {
  readonly #options: CallQueueOptions;
  readonly #waiting = new WaitingLines<Call>();
  readonly #durations = new CallDurations();
  /** How many calls each owner has running or waiting; owners with none are not in it. */
  readonly #callsOf = new Map<string, number>();
  #running = 0;
  /** Whether somebody was turned away since an owner went over its share: what it gives back is not for itself. */
  #isContested = false;

  constructor(options: CallQueueOptions) {
    this.#options = options;
  }

  get load(): { readonly running: number; readonly queued: number } {
    return { running: this.#running, queued: this.#waiting.length };
  }

  /**
   * When whoever was turned away may expect a place to be free, by how long calls have taken of late: about the time in which
   * one of those that run ends, as often as there are owners that take turns. An estimate, never less than a second and never
   * more than a minute; until a call has ended it rests on what a call commonly takes.
   */
  get retryAfterMs(): number {
    const untilOneEndsMs = this.#durations.averageMs / this.#options.maxRunning;
    const estimateMs = Math.ceil(untilOneEndsMs * Math.max(1, this.#waiting.owners));
    return Math.min(Math.max(estimateMs, minRetryAfterMs), maxRetryAfterMs);
  }

  /** Takes a place for a call, or says at once that there is none: null. Every ticket must be left in the end. */
  enter(owner: string): QueueTicket | null {
    const mustWait = this.#running >= this.#options.maxRunning;
    if (mustWait && !this.#hasPlaceFor(owner)) {
      return null;
    }
    const ahead = mustWait ? this.#waiting.aheadOfNext(owner) : 0;
    let admit = (): void => undefined;
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    const call: Call = { owner, state: 'waiting', admit };
    this.#callsOf.set(owner, (this.#callsOf.get(owner) ?? 0) + 1);
    if (mustWait) {
      this.#waiting.join(owner, call);
    } else {
      this.#run(call);
    }
    return { mustWait, ahead, admitted, leave: (ranForMs) => this.#leave(call, ranForMs) };
  }

  #hasPlaceFor(owner: string): boolean {
    const share = Math.ceil(this.#options.maxQueued / 2);
    const held = this.#waiting.lengthOf(owner);
    if (this.#waiting.longest <= share) {
      this.#isContested = false;
    }
    if (this.#waiting.length >= this.#options.maxQueued) {
      this.#isContested ||= held < this.#waiting.longest && this.#waiting.longest > share;
      return false;
    }
    // Who holds its share has calls here: when only one has, it is this one.
    const isAlone = this.#callsOf.size === 1;
    return held < share || (isAlone && !this.#isContested);
  }

  #run(call: Call): void {
    call.state = 'running';
    this.#running += 1;
    call.admit();
  }

  #leave(call: Call, ranForMs?: number): void {
    const { owner, state } = call;
    if (state === 'left') {
      return;
    }
    call.state = 'left';
    this.#forgetOneOf(owner);
    if (state === 'waiting') {
      this.#waiting.remove(owner, call);
      return;
    }
    this.#running -= 1;
    if (ranForMs !== undefined) {
      this.#durations.record(ranForMs);
    }
    const next = this.#waiting.takeNext();
    if (next !== undefined) {
      this.#run(next);
    }
  }

  #forgetOneOf(owner: string): void {
    const left = (this.#callsOf.get(owner) ?? 0) - 1;
    if (left > 0) {
      this.#callsOf.set(owner, left);
    } else {
      this.#callsOf.delete(owner);
    }
  }
}

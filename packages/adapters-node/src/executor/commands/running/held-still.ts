import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../../process/process-identity.ts';
import { listTree, threadsOf } from './tree-usage.ts';

/** A fork bomb may go on for longer: then it is not held. */
const maxRounds = 100;
const roundMs = 1;

/** Processes that wait until they are let go on, with all that come of them. */
export class HeldStill {
  readonly #tops = new Set<number>();
  readonly #stopped = new Set<number>();

  holds(top: number): boolean {
    return this.#tops.has(top);
  }

  /** Resolves when all that come of some processes wait. Rejects if they cannot be made to. */
  async hold(tops: ReadonlySet<number>): Promise<void> {
    // Twice: a process may have been started while the others were looked at.
    for (let rounds = 0, waiting = 0; waiting < 2; rounds += 1) {
      if (rounds === maxRounds) {
        throw notHeld();
      }
      const moving = await findMoving(tops);
      for (const pid of moving) {
        this.#stop(pid);
      }
      waiting = moving.length === 0 ? waiting + 1 : 0;
      await (moving.length === 0 ? undefined : delay(roundMs));
    }
    for (const top of tops) {
      this.#tops.add(top);
    }
  }

  /** Lets them go on. */
  release(): void {
    for (const pid of this.#stopped) {
      signal(pid, 'SIGCONT');
    }
    this.#stopped.clear();
    this.#tops.clear();
  }

  #stop(pid: number): void {
    this.#stopped.add(pid);
    signal(pid, 'SIGSTOP');
  }
}

/** Rejects if one of the processes cannot be held still. */
async function findMoving(tops: ReadonlySet<number>): Promise<readonly number[]> {
  const held = (await listTree(tops)).filter((pid) => !tops.has(pid));
  if (held.some(wakesItself)) {
    throw notHeld();
  }
  return held.filter(isMoving);
}

function notHeld(): Error {
  return new Error('Another command that works in this project cannot be held still. End it, and run this one again');
}

/** Whether a timer will let a process go on however often it is stopped; so is one taken whose timers the kernel does not tell. */
function wakesItself(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/timers`, 'latin1').includes(`signal: ${constants.signals.SIGCONT}/`);
  } catch {
    return isAlive({ pid, startTicks: null });
  }
}

/** A process whose first thread has ended looks as if it had ended itself: each thread counts. */
function isMoving(pid: number): boolean {
  return threadsOf(pid).some((thread) => isRunning(`/proc/${pid}/task/${thread}/stat`));
}

/** Neither stopped nor at its end: field 3. */
function isRunning(statFile: string): boolean {
  try {
    const stat = readFileSync(statFile, 'latin1');
    return !/^[TZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

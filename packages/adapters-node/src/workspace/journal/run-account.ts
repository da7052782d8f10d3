import { type FileState, isSameState } from './file-state.ts';
import type { ChangeLine, JournalLine } from './journal-line.ts';

export type PathAccount = {
  readonly path: string;
  readonly first: FileState;
  /** The state that the run left if its last change was made. */
  readonly last: FileState;
  /** The state that the run left otherwise; null if the last change is known to have been made. */
  readonly previous: FileState | null;
  /** Whether something else changed it between two changes of the run. */
  readonly isMixed: boolean;
  /** Whether an undo began to replace it with something of another kind. */
  readonly isBeingUndone: boolean;
};

/** Summarizes the lines of a journal: one entry for each path, however often it was changed. */
export class RunAccount {
  readonly #paths = new Map<string, PathAccount>();
  #uncovered: string | null = null;
  #runningCommands = 0;
  #isClosed = false;

  /** In the order of their first changes. */
  get paths(): readonly PathAccount[] {
    return [...this.#paths.values()];
  }

  /** Why some changes of commands are unknown; null if all are known. */
  get uncovered(): string | null {
    return this.#uncovered;
  }

  get isCommandRunning(): boolean {
    return this.#runningCommands > 0;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  at(path: string): PathAccount | null {
    return this.#paths.get(path) ?? null;
  }

  apply(line: JournalLine): void {
    if (line.type === 'change') {
      this.#change(line);
    } else if (line.type === 'command') {
      this.#runningCommands = Math.max(0, this.#runningCommands + (line.isRunning ? 1 : -1));
    } else if (line.type === 'uncovered') {
      this.#uncovered ??= line.reason;
    } else if (line.type === 'undoing') {
      this.#markUndone(line.path);
    } else if (line.type === 'closed') {
      this.#isClosed = true;
    }
  }

  #change({ path, before, after, isMade }: ChangeLine): void {
    const known = this.#paths.get(path);
    const isAnew = known === undefined || isSameState(before, known.first);
    const follows = known !== undefined && isLeftBy(known, before);
    this.#paths.set(path, {
      path,
      first: known?.first ?? before,
      last: after,
      previous: isMade ? null : before,
      isMixed: !isAnew && (known.isMixed || !follows),
      isBeingUndone: false,
    });
  }

  #markUndone(path: string): void {
    const known = this.#paths.get(path);
    if (known !== undefined) {
      this.#paths.set(path, { ...known, isBeingUndone: true });
    }
  }
}

/** Whether the run may have left this state at the path. */
export function isLeftBy({ last, previous }: PathAccount, state: FileState): boolean {
  return isSameState(state, last) || (previous !== null && isSameState(state, previous));
}

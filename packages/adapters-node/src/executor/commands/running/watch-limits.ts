import { statfs } from 'node:fs/promises';
import type { CommandLimits } from '../command-limits.ts';
import type { RunningCommand } from './running-command.ts';
import { countAllThreads, readTreeUsage } from './tree-usage.ts';

export type WatchLimitsOptions = {
  readonly command: Pick<RunningCommand, 'stop'>;
  readonly limits: CommandLimits;
  /** The processes at the top of what is watched, as they are now. */
  readonly tops: () => ReadonlySet<number>;
  /** Directories on whose disks the command may write. */
  readonly directories: readonly string[];
};

/** A look at all. */
const everyMs = 250;

/** A look at how many threads the machine has: what forks without end makes thousands in a quarter of a second, and root has no bound. */
const glanceEveryMs = 25;

/**
 * Stops a command whose processes together use more than they may: no limit of a single process can say that. What is used between two
 * looks is not seen. Returns how to end the watch.
 */
export function watchLimits(options: WatchLimitsOptions): () => void {
  const watch = new LimitWatch(options);
  return () => watch.end();
}

class LimitWatch {
  readonly #options: WatchLimitsOptions;
  readonly #freeAtStart: Promise<readonly number[]>;
  readonly #threadsAtStart = countAllThreads();
  readonly #glance: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isOver = false;

  constructor(options: WatchLimitsOptions) {
    this.#options = options;
    this.#freeAtStart = readFree(options.directories);
    this.#glance = setInterval(() => this.#glanceAtThreads(), glanceEveryMs).unref();
    this.#plan();
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearInterval(this.#glance);
  }

  #plan(): void {
    if (!this.#isOver) {
      this.#timer = setTimeout(() => void this.#look(), everyMs).unref();
    }
  }

  async #look(): Promise<void> {
    await this.#lookAtTree();
    await this.#lookAtDisks();
    this.#plan();
  }

  #glanceAtThreads(): void {
    const [before, now] = [this.#threadsAtStart, countAllThreads()];
    if (before !== null && now !== null && now - before > this.#options.limits.maxProcesses) {
      void this.#lookAtTree();
    }
  }

  async #lookAtTree(): Promise<void> {
    if (this.#isLooking) {
      return;
    }
    this.#isLooking = true;
    const { command, limits, tops } = this.#options;
    const { processes, residentBytes } = await readTreeUsage(tops());
    this.#isLooking = false;
    if (processes > limits.maxProcesses) {
      command.stop('memory', `it had more than ${limits.maxProcesses} processes`);
    }
    if (residentBytes > limits.maxMemoryBytes) {
      command.stop('memory', `its processes used more than ${limits.maxMemoryBytes} bytes of memory`);
    }
  }

  async #lookAtDisks(): Promise<void> {
    const { command, limits, directories } = this.#options;
    const [before, now] = [await this.#freeAtStart, await readFree(directories)];
    if (now.some((free, index) => (before[index] ?? free) - free > limits.maxDiskBytes)) {
      command.stop('output', `the disk lost more than ${limits.maxDiskBytes} bytes of free space meanwhile`);
    }
  }
}

/** Infinite for a disk that cannot be asked. */
function readFree(directories: readonly string[]): Promise<readonly number[]> {
  return Promise.all(
    directories.map((path) =>
      statfs(path).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => Number.POSITIVE_INFINITY,
      ),
    ),
  );
}

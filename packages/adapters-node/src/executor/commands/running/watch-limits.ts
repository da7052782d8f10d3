import { statfs } from 'node:fs/promises';
import type { CommandLimits } from '../command-limits.ts';
import type { RunningCommand } from './running-command.ts';
import { countAllThreads, type MachineMemory, readMachineMemory, readTreeUsage } from './tree-usage.ts';

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

/**
 * A look at how many threads the machine has and at its memory: what forks without end makes thousands in a quarter of a second, and root
 * has no bound; files in memory grow by gigabytes.
 */
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
  readonly #disksAtStart: Promise<readonly DiskUsage[]>;
  readonly #threadsAtStart = countAllThreads();
  readonly #memoryAtStart = readMachineMemory();
  readonly #glance: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isOver = false;

  constructor(options: WatchLimitsOptions) {
    this.#options = options;
    this.#disksAtStart = readDisks(options.directories);
    this.#glance = setInterval(() => this.#glanceAtMachine(), glanceEveryMs).unref();
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

  #glanceAtMachine(): void {
    const { command, limits } = this.#options;
    const [before, now] = [this.#threadsAtStart, countAllThreads()];
    const memory = readMachineMemory();
    if (
      this.#sharedGrowth(memory) > limits.maxMemoryBytes ||
      (before !== null && now !== null && now - before > limits.maxProcesses)
    ) {
      void this.#lookAtTree();
    }
    if (this.#isShortOf(memory)) {
      command.stop('memory', 'the machine lost nearly all of its free memory meanwhile');
    }
  }

  /** Of the whole machine: no process is charged for shared memory. */
  #sharedGrowth(now: MachineMemory | null): number {
    return now === null || this.#memoryAtStart === null
      ? 0
      : Math.max(0, now.sharedBytes - this.#memoryAtStart.sharedBytes);
  }

  /** What the kernel holds for a program, such as what is in pipes and sockets, is told of no process. */
  #isShortOf(now: MachineMemory | null): boolean {
    const [before, { maxMemoryBytes, minAvailableShare }] = [this.#memoryAtStart, this.#options.limits];
    if (now === null || before === null || now.availableBytes >= now.totalBytes * minAvailableShare) {
      return false;
    }
    return before.availableBytes - now.availableBytes > Math.min(maxMemoryBytes, before.availableBytes / 2);
  }

  async #lookAtTree(): Promise<void> {
    if (this.#isLooking) {
      return;
    }
    this.#isLooking = true;
    const { command, limits, tops } = this.#options;
    const { processes, ownBytes } = await readTreeUsage(tops());
    this.#isLooking = false;
    if (processes > limits.maxProcesses) {
      command.stop('memory', `it had more than ${limits.maxProcesses} processes`);
    }
    if (ownBytes + this.#sharedGrowth(readMachineMemory()) > limits.maxMemoryBytes) {
      command.stop(
        'memory',
        `its processes, and what is shared in memory, took more than ${limits.maxMemoryBytes} bytes`,
      );
    }
  }

  async #lookAtDisks(): Promise<void> {
    const { command, limits, directories } = this.#options;
    const [before, now] = [await this.#disksAtStart, await readDisks(directories)];
    for (const [index, { freeBytes, files }] of now.entries()) {
      const start = before[index];
      if (start !== undefined && start.freeBytes - freeBytes > limits.maxDiskBytes) {
        command.stop('output', `the disk lost more than ${limits.maxDiskBytes} bytes of free space meanwhile`);
      }
      if (start !== undefined && files - start.files > limits.maxNewFiles) {
        command.stop('output', `the disk holds more than ${limits.maxNewFiles} new files and directories`);
      }
    }
  }
}

/** `files` is how many are there, with directories: how many more there can be changes with the free space on some file systems. */
type DiskUsage = { readonly freeBytes: number; readonly files: number };

/** Endless and empty if a disk cannot be asked. */
function readDisks(directories: readonly string[]): Promise<readonly DiskUsage[]> {
  return Promise.all(
    directories.map((path) =>
      statfs(path).then(
        ({ bavail, bsize, files, ffree }) => ({ freeBytes: bavail * bsize, files: files - ffree }),
        () => ({ freeBytes: Number.POSITIVE_INFINITY, files: 0 }),
      ),
    ),
  );
}

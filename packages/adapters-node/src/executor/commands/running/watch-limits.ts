import { statfs } from 'node:fs/promises';
import type { CommandLimits } from '../command-limits.ts';
import type { RunningCommand } from './running-command.ts';
import { readTreeUsage } from './tree-usage.ts';

export type WatchLimitsOptions = {
  readonly command: Pick<RunningCommand, 'stop'>;
  readonly limits: CommandLimits;
  /** The processes at the top of what is watched, as they are now. */
  readonly tops: () => ReadonlySet<number>;
  /** Directories on whose disks the command may write. */
  readonly directories: readonly string[];
};

const everyMs = 250;

/**
 * Stops a command whose processes together use more than they may: no limit of a single process can say that. What is used between two
 * looks is not seen. Returns how to end the watch.
 */
export function watchLimits(options: WatchLimitsOptions): () => void {
  const freeAtStart = readFree(options.directories);
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    await judgeTree(options);
    await judgeDisks(options, await freeAtStart);
    if (!isOver) {
      timer = setTimeout(() => void look(), everyMs).unref();
    }
  };
  timer = setTimeout(() => void look(), everyMs).unref();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

async function judgeTree({ command, limits, tops }: WatchLimitsOptions): Promise<void> {
  const { processes, residentBytes } = await readTreeUsage(tops());
  if (residentBytes > limits.maxMemoryBytes) {
    command.stop('memory', `its processes used more than ${limits.maxMemoryBytes} bytes of memory`);
  }
  if (processes > limits.maxProcesses) {
    command.stop('memory', `it had more than ${limits.maxProcesses} processes`);
  }
}

async function judgeDisks(
  { command, limits, directories }: WatchLimitsOptions,
  freeAtStart: readonly number[],
): Promise<void> {
  const freeNow = await readFree(directories);
  if (freeNow.some((free, index) => (freeAtStart[index] ?? free) - free > limits.maxDiskBytes)) {
    command.stop('output', `the disk lost more than ${limits.maxDiskBytes} bytes of free space meanwhile`);
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

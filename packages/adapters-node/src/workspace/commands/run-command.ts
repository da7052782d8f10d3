import { closeSync, openSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { CommandPlan } from '@gemini-mcp/core';
import type { CommandLimits } from './command-limits.ts';
import { carryOutPlan } from './plan/carry-out-plan.ts';
import type { CommandPaths } from './plan/command-place.ts';
import type { ProgramStart } from './plan/run-stage.ts';
import { closePipe, type Pipe } from './running/output-pipes.ts';
import type { RunningCommand } from './running/running-command.ts';
import type { SandboxedProgram } from './running/start-sandboxed.ts';
import { countAllThreads, type MachineMemory, readMachineMemory, readTreeUsage } from './running/tree-usage.ts';

export type RunCommandOptions = {
  readonly plan: CommandPlan;
  readonly places: CommandPaths;
  readonly directory: string;
  /** Display paths that the user allowed to write. */
  readonly consented: ReadonlySet<string>;
  readonly heldPaths: ReadonlySet<string>;
  /** The first one for the shown output, the others for the plan. This function closes them. */
  readonly pipes: readonly [Pipe, ...Pipe[]];
  readonly start: (start: ProgramStart) => Promise<SandboxedProgram>;
  readonly limits: CommandLimits;
  /** Undoes the preparations for the command; called once, when all its processes are gone. Never rejects. */
  readonly release: () => Promise<void>;
  /** Directories on the disks that it may write. */
  readonly disks: readonly string[];
};

const faultExitCode = 126;

/** Runs a command to its end and leaves no process. Never rejects. */
export async function runCommand(command: RunningCommand, options: RunCommandOptions): Promise<void> {
  const programs = new Map<number, SandboxedProgram>();
  const unwatch = watchLimits({
    command,
    limits: options.limits,
    tops: () => new Set(programs.keys()),
    directories: options.disks,
  });
  const killAll = (): void => {
    for (const program of programs.values()) {
      program.kill();
    }
  };
  command.stopping.addEventListener('abort', killAll, { once: true });
  let exitCode = faultExitCode;
  try {
    exitCode = await carryOut(command, options, async (start) =>
      keepTrack(await options.start(start), programs, command),
    );
  } catch (error) {
    command.print(Buffer.from(`The command could not be run: ${error instanceof Error ? error.message : ''}\n`));
  } finally {
    unwatch();
    await options.release();
    command.finish(exitCode);
  }
}

/** Rejects only if the system is out of descriptors. */
async function carryOut(
  command: RunningCommand,
  { plan, places, directory, consented, heldPaths, pipes }: RunCommandOptions,
  start: RunCommandOptions['start'],
): Promise<number> {
  const [shown, ...joints] = pipes;
  let nothing: number;
  try {
    nothing = openSync('/dev/null', 'r+');
  } catch (error) {
    pipes.forEach(closePipe);
    throw error;
  }
  const reader = readOutput(shown.readEnd, (chunk) => command.print(chunk));
  const exitCode = await carryOutPlan({
    ...{ plan, places, directory, consented, heldPaths, start, nothing },
    pipes: joints,
    shown: shown.writeEnd,
    signal: command.stopping,
    say: (text) => command.print(Buffer.from(text)),
  });
  closeSync(shown.writeEnd);
  closeSync(nothing);
  await reader.finish();
  return exitCode;
}

function keepTrack(
  program: SandboxedProgram,
  programs: Map<number, SandboxedProgram>,
  command: RunningCommand,
): SandboxedProgram {
  const { pid } = program;
  if (pid !== null) {
    programs.set(pid, program);
    void program.ended.then(() => programs.delete(pid));
  }
  if (command.stopping.aborted) {
    program.kill();
  }
  return program;
}

type WatchLimitsOptions = {
  readonly command: Pick<RunningCommand, 'stop'>;
  readonly limits: CommandLimits;
  /** The present processes at the top of the watched trees. */
  readonly tops: () => ReadonlySet<number>;
  readonly directories: readonly string[];
};

const everyMs = 250;

/**
 * How often to check the machine's threads and memory: a fork bomb makes thousands in a quarter of a second, and root has no bound; files
 * in memory grow by gigabytes.
 */
const glanceEveryMs = 25;

/**
 * Stops a command whose processes together exceed their limits, which no per-process limit can enforce. Misses usage between two looks.
 * Returns a function that ends the watch.
 */
function watchLimits(options: WatchLimitsOptions): () => void {
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

  /** For the whole machine: shared memory is not charged to any process. */
  #sharedGrowth(now: MachineMemory | null): number {
    return now === null || this.#memoryAtStart === null
      ? 0
      : Math.max(0, now.sharedBytes - this.#memoryAtStart.sharedBytes);
  }

  /** The kernel charges its own memory for a program, such as the contents of pipes and sockets, to no process. */
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
      command.stop('memory', `its processes, with their shared memory, took more than ${limits.maxMemoryBytes} bytes`);
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

/**
 * `files` is the number of existing files and directories: on some file systems the number of possible ones changes with the free space.
 */
type DiskUsage = { readonly freeBytes: number; readonly files: number };

/** Infinite space and zero files if a disk cannot be queried. */
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

/** How long the pipe may still deliver after a command has ended: none of its processes is left to write. */
const drainMs = 1_000;

type OutputReader = {
  /** Resolves when all remaining data is read; call it once nothing writes any more. Never rejects. */
  finish(): Promise<void>;
};

/** Reads a pipe to its end, then closes it. */
function readOutput(readEnd: number, onChunk: (chunk: Buffer) => void): OutputReader {
  const socket = new Socket({ fd: readEnd, readable: true, writable: false });
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  socket.on('error', () => undefined);
  socket.on('data', onChunk);
  return {
    finish: async () => {
      const timer = setTimeout(() => socket.destroy(), drainMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

import type { Writable } from 'node:stream';
import { execa } from 'execa';
import type { ContainedCommand } from './contained-command.ts';
import { endMarkedProcesses, runMarkerName } from './marked-processes.ts';

/** How long a process group may take to end by itself after SIGTERM. */
const graceMs = 2_000;

/** How long, after the process has ended, its pipes may still deliver: whoever holds them open then is no longer part of the run. */
const drainMs = 1_000;

export type ContainedProcessOptions = {
  readonly command: ContainedCommand;
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Marks every process that comes of this one. */
  readonly runId: string;
  /** Written whole, then the stream is closed; null leaves it open for whoever started the process. */
  readonly input: string | null;
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
};

export type ProcessEnd = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why the process never ran, null when it did. */
  readonly spawnError: string | null;
};

export type ContainedProcess = {
  /** Null where nothing could be started. */
  readonly pid: number | null;
  readonly stdin: Writable;
  /** Resolves once the process, its group, every marked descendant and the pipes are gone; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Asks the group to end, and after a grace time makes it; further calls change nothing. */
  terminate(): void;
  /** Ends the group at once: for a process that has said all there was to say. */
  kill(): void;
};

/** Starts a process in a group of its own, from which nothing is left when it has ended. */
export function startContainedProcess(options: ContainedProcessOptions): ContainedProcess {
  const subprocess = spawn(options);
  subprocess.stdout.on('data', options.onStdout);
  subprocess.stderr.on('data', options.onStderr);
  // A process that closes its input or dies before it has read all is no error of ours, nor one for execa: its end tells.
  // Where nothing could be started (a NUL in a value is enough) the stream has ended before it began.
  if (subprocess.pid !== undefined && options.input !== null) {
    subprocess.stdin.end(options.input);
  }
  return new RunningProcess(subprocess, new Set([options.runId]));
}

class RunningProcess implements ContainedProcess {
  readonly ended: Promise<ProcessEnd>;
  readonly pid: number | null;
  readonly stdin: Writable;
  readonly #subprocess: Subprocess;
  readonly #runIds: ReadonlySet<string>;
  #isOver = false;
  #killTimer: NodeJS.Timeout | undefined;
  #drainTimer: NodeJS.Timeout | undefined;
  #killing: Promise<void> | undefined;

  constructor(subprocess: Subprocess, runIds: ReadonlySet<string>) {
    this.#subprocess = subprocess;
    this.#runIds = runIds;
    this.pid = subprocess.pid ?? null;
    this.stdin = subprocess.stdin;
    subprocess.once('exit', () => this.#endDescendants());
    this.ended = this.#whenEnded();
  }

  terminate(): void {
    if (!this.#isOver && this.#killTimer === undefined) {
      signalGroup(this.#subprocess.pid, 'SIGTERM');
      this.#killTimer = setTimeout(() => this.#kill(), graceMs);
    }
  }

  kill(): void {
    if (!this.#isOver) {
      this.#kill();
    }
  }

  #kill(): void {
    signalGroup(this.#subprocess.pid, 'SIGKILL');
    this.#killing = endMarkedProcesses(this.#runIds);
  }

  /** The process itself has ended: from here on its id may become another's. */
  #endDescendants(): void {
    this.#isOver = true;
    clearTimeout(this.#killTimer);
    this.#kill();
    this.#subprocess.stdin.destroy();
    // Timers come before what stands in the pipes: in a process that was busy meanwhile, that is to be read first.
    this.#drainTimer = setTimeout(() => setImmediate(() => this.#closePipes()), drainMs);
  }

  #closePipes(): void {
    this.#subprocess.stdout.destroy();
    this.#subprocess.stderr.destroy();
  }

  async #whenEnded(): Promise<ProcessEnd> {
    const { exitCode, signal, originalMessage } = await this.#subprocess;
    this.#isOver = true;
    clearTimeout(this.#killTimer);
    clearTimeout(this.#drainTimer);
    await this.#killing;
    await endMarkedProcesses(this.#runIds);
    return {
      exitCode: exitCode ?? null,
      signal: signal ?? null,
      spawnError: this.#subprocess.pid === undefined ? (originalMessage ?? 'could not be started') : null,
    };
  }
}

type Subprocess = ReturnType<typeof spawn>;

function spawn({ command, cwd, environment, runId }: ContainedProcessOptions) {
  return execa(command.file, command.arguments, {
    cwd,
    env: { ...environment, [runMarkerName]: runId },
    extendEnv: false,
    detached: true,
    windowsHide: true,
    reject: false,
    buffer: false,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) {
    return;
  }
  try {
    // Windows has no groups; there the process itself is ended.
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

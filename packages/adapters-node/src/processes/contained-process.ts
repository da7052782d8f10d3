import { Socket } from 'node:net';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { ContainedCommand } from './contained-command.ts';
import { describeStartError, type StartProblem } from './describe-start-error.ts';
import { endMarkedProcesses, runMarkerName } from './marked-processes.ts';
import { signalGroup, untilGroupIsGone } from './process-group.ts';
import { type StartedProgram, startProgram } from './start-program.ts';

/** The default time for a process group to end by itself after SIGTERM. */
const usualGraceMs = 2_000;

/** How long the pipes may still deliver after the process has ended: a process that holds them open longer is no longer part of the run. */
const drainMs = 1_000;

export type ContainedProcessOptions = {
  readonly command: ContainedCommand;
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Marks all descendants of this process. */
  readonly runId: string;
  /** Written completely, then the stream is closed; null leaves it open for the caller. */
  readonly input: string | null;
  /** Receives all of standard output as fast as it arrives; null leaves it to the reader of `stdout`, with backpressure. */
  readonly onStdout: ((chunk: Buffer) => void) | null;
  readonly onStderr: (chunk: Buffer) => void;
  /** How long the group may take to end by itself after SIGTERM; defaults to 2,000. */
  readonly graceMs?: number;
};

export type ProcessEnd = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why the process never ran; null if it did. */
  readonly spawnError: StartProblem | null;
};

export type ContainedProcess = {
  /** Null if the process could not be started. */
  readonly pid: number | null;
  readonly stdin: Writable;
  /** Read it only without `onStdout`. Data not read within a second after the end of the process is lost. */
  readonly stdout: Readable;
  /** Resolves once the process, its group, every marked descendant and the pipes are gone; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Asks the group to end, and kills it after a grace period; further calls have no effect. */
  terminate(): void;
  /** Kills the group at once: for a process whose output is complete. */
  kill(): void;
  /** Keeps this program alive until the process ends, as by default. */
  ref(): void;
  /** Lets this program end while the process runs; output is read for as long as this program lives. */
  unref(): void;
};

/** Starts a process in its own group, and leaves no process of it when it ends. Never throws. */
export function startContainedProcess(options: ContainedProcessOptions): ContainedProcess {
  const { command, cwd, environment, runId, input } = options;
  const start = startProgram(command.file, command.arguments, {
    cwd,
    env: { ...environment, [runMarkerName]: runId },
    detached: true,
    windowsHide: true,
  });
  if (!start.started) {
    return new NeverStarted(start.error, cwd);
  }
  if (options.onStdout !== null) {
    start.child.stdout.on('data', options.onStdout);
  }
  start.child.stderr.on('data', options.onStderr);
  // A process that closes its input or dies before reading all of it is not our error: its exit reports that.
  if (input !== null) {
    start.child.stdin.end(input);
  }
  return new RunningProcess(start, { runIds: new Set([runId]), graceMs: options.graceMs ?? usualGraceMs });
}

class NeverStarted implements ContainedProcess {
  readonly ended: Promise<ProcessEnd>;
  readonly pid = null;
  /** Closed, like that of an ended process. */
  readonly stdin: Writable = new PassThrough().destroy();
  readonly stdout: Readable = new PassThrough().end();

  constructor(error: Promise<unknown>, cwd: string) {
    this.ended = error.then(async (cause) => ({
      exitCode: null,
      signal: null,
      spawnError: await describeStartError(cause, cwd),
    }));
  }

  terminate(): void {
    // Nothing was started.
  }

  kill(): void {
    // Nothing was started.
  }

  ref(): void {
    // Nothing was started.
  }

  unref(): void {
    // Nothing was started.
  }
}

type Running = Extract<StartedProgram, { readonly started: true }>;

type Containment = { readonly runIds: ReadonlySet<string>; readonly graceMs: number };

class RunningProcess implements ContainedProcess {
  readonly ended: Promise<ProcessEnd>;
  readonly pid: number;
  readonly #child: Running['child'];
  readonly #runIds: ReadonlySet<string>;
  readonly #graceMs: number;
  #isOver = false;
  #killTimer: NodeJS.Timeout | undefined;
  #drainTimer: NodeJS.Timeout | undefined;
  #killing: Promise<void> | undefined;

  constructor({ child, pid, closed }: Running, { runIds, graceMs }: Containment) {
    this.#child = child;
    this.#runIds = runIds;
    this.#graceMs = graceMs;
    this.pid = pid;
    child.once('exit', () => this.#endDescendants());
    this.ended = this.#whenEnded(closed);
  }

  get stdin(): Writable {
    return this.#child.stdin;
  }

  get stdout(): Readable {
    return this.#child.stdout;
  }

  terminate(): void {
    if (!this.#isOver && this.#killTimer === undefined) {
      signalGroup(this.pid, 'SIGTERM');
      this.#killTimer = setTimeout(() => this.#kill(), this.#graceMs);
    }
  }

  kill(): void {
    if (!this.#isOver) {
      this.#kill();
    }
  }

  ref(): void {
    this.#child.ref();
    for (const socket of this.#sockets()) {
      socket.ref();
    }
  }

  unref(): void {
    this.#child.unref();
    for (const socket of this.#sockets()) {
      socket.unref();
    }
  }

  /** Node's child pipes are sockets, although its types do not say so. */
  #sockets(): readonly Socket[] {
    const { stdin, stdout, stderr } = this.#child;
    const sockets = [stdin, stdout, stderr].filter((stream) => stream instanceof Socket);
    // On a closed socket, `ref` waits for a connection that never comes and adds a listener each time.
    return sockets.filter(({ destroyed }) => !destroyed);
  }

  #kill(): void {
    signalGroup(this.pid, 'SIGKILL');
    this.#killing = endMarkedProcesses(this.#runIds);
  }

  /** The process itself has ended: from here on its id may be reused. */
  #endDescendants(): void {
    this.#isOver = true;
    clearTimeout(this.#killTimer);
    this.#kill();
    this.#child.stdin.destroy();
    // Timers fire before pending pipe data: after a busy period, that data must be read first.
    this.#drainTimer = setTimeout(() => setImmediate(() => this.#closePipes()), drainMs);
  }

  #closePipes(): void {
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  async #whenEnded(closed: Running['closed']): Promise<ProcessEnd> {
    const exit = await closed;
    this.#isOver = true;
    clearTimeout(this.#killTimer);
    clearTimeout(this.#drainTimer);
    await this.#killing;
    await endMarkedProcesses(this.#runIds);
    await untilGroupIsGone(this.pid);
    return { ...exit, spawnError: null };
  }
}

import { Socket } from 'node:net';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { ContainedCommand } from './contained-command.ts';
import { describeStartError, type StartProblem } from './describe-start-error.ts';
import { endMarkedProcesses, runMarkerName } from './marked-processes.ts';
import { signalGroup, untilGroupIsGone } from './process-group.ts';
import { type StartedProgram, startProgram } from './start-program.ts';

/** How long a process group may take to end by itself after SIGTERM, unless it is said. */
const usualGraceMs = 2_000;

/** How long, after the process has ended, its pipes may still deliver: a process that holds them open then is no longer part of the run. */
const drainMs = 1_000;

export type ContainedProcessOptions = {
  readonly command: ContainedCommand;
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Marks every process that comes of this one. */
  readonly runId: string;
  /** Written whole, then the stream is closed; null leaves it open for the caller. */
  readonly input: string | null;
  /** Hears all of the standard output as fast as it comes; null leaves it to the reader of `stdout`, for whom the process waits. */
  readonly onStdout: ((chunk: Buffer) => void) | null;
  readonly onStderr: (chunk: Buffer) => void;
  /** How long the group may take to end by itself after SIGTERM; 2,000 unless given. */
  readonly graceMs?: number;
};

export type ProcessEnd = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why the process never ran, null when it did. */
  readonly spawnError: StartProblem | null;
};

export type ContainedProcess = {
  /** Null where nothing could be started. */
  readonly pid: number | null;
  readonly stdin: Writable;
  /** To be read only where there is no `onStdout`. What is not read a second after the end of the process is lost. */
  readonly stdout: Readable;
  /** Resolves once the process, its group, every marked descendant and the pipes are gone; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Asks the group to end, and after a grace time makes it; further calls change nothing. */
  terminate(): void;
  /** Ends the group at once: for a process that has said all there was to say. */
  kill(): void;
  /** Keeps this program alive for the process from now on, as it does from the start. */
  ref(): void;
  /** Lets this program end while the process runs; what the process says is read for as long as there is a program. */
  unref(): void;
};

/** Starts a process in a group of its own, from which nothing is left when it has ended. Never throws. */
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
  // A process that closes its input or dies before it has read all is no error of ours: its end tells.
  if (input !== null) {
    start.child.stdin.end(input);
  }
  return new RunningProcess(start, { runIds: new Set([runId]), graceMs: options.graceMs ?? usualGraceMs });
}

class NeverStarted implements ContainedProcess {
  readonly ended: Promise<ProcessEnd>;
  readonly pid = null;
  /** As that of a process that has ended. */
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
    // There is nothing to end.
  }

  kill(): void {
    // There is nothing to end.
  }

  ref(): void {
    // There is nothing to wait for.
  }

  unref(): void {
    // There is nothing to wait for.
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

  /** Node makes the pipes of a child sockets, and its types do not say so. */
  #sockets(): readonly Socket[] {
    const { stdin, stdout, stderr } = this.#child;
    const sockets = [stdin, stdout, stderr].filter((stream) => stream instanceof Socket);
    // Of a closed one, `ref` waits for a connection that never comes, with one more listener each time.
    return sockets.filter(({ destroyed }) => !destroyed);
  }

  #kill(): void {
    signalGroup(this.pid, 'SIGKILL');
    this.#killing = endMarkedProcesses(this.#runIds);
  }

  /** The process itself has ended: from here on its id may become another's. */
  #endDescendants(): void {
    this.#isOver = true;
    clearTimeout(this.#killTimer);
    this.#kill();
    this.#child.stdin.destroy();
    // Timers come before what is in the pipes: in a process that was busy meanwhile, that is to be read first.
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

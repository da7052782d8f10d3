import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { signalGroup } from '../../../processes/process-group.ts';
import { isAlive } from '../../../processes/process-identity.ts';

export type SandboxedStart = {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly systemCallFilter: Uint8Array;
  readonly environment: Readonly<Record<string, string>>;
  /** Descriptors that are passed on; the caller closes its own. */
  readonly input: number;
  readonly output: number;
  readonly errors: number;
  /** Passed on as the descriptors from 6 on. */
  readonly descriptors: readonly number[];
  /**
   * Checks the first process of the sandbox before the program begins: a returned sentence is the fault that ends the sandbox. May throw.
   */
  readonly findFault: (pid: number) => string | null;
};

export type SandboxedEnd =
  /** 128 plus the signal number if a signal ended the program. */
  | { readonly ran: true; readonly exitCode: number }
  /** The program was never reached; `error` is the cause, if known. */
  | { readonly ran: false; readonly error: unknown };

export type SandboxedProgram = {
  /** The process outside, above everything in the sandbox; null if it could not be started. */
  readonly pid: number | null;
  /** Resolves when the program may begin, or has ended before. Never rejects. */
  readonly begun: Promise<void>;
  /** Resolves when all its processes are gone. Never rejects. */
  readonly ended: Promise<SandboxedEnd>;
  kill(): void;
};

/**
 * A shell that reports that it has started, waits for permission from outside, and becomes the program that follows; it never parses the
 * program's words. If the other end closes without permission, it exits.
 */
export const gate: readonly string[] = ['/bin/sh', '-c', 'echo >&4; read -r _ <&4 || exit 125; exec "$@" 4>&-', 'gate'];

/** A command must not starve the process that watches it. */
const niceness = 5;

/** How long to wait for killed processes: one that hangs in the kernel must not hold a run for ever. */
const deathsMs = 2_000;
const deathRoundMs = 2;

/** A shell's exit code for a program that SIGKILL ended. */
const killedExitCode = 137;

/**
 * Starts a program in a sandbox: the arguments are bubblewrap's, except those that report status, and the program is `gate` with its words
 * appended. Never throws.
 */
export function startSandboxed(start: SandboxedStart): SandboxedProgram {
  let child: ChildProcess;
  try {
    child = spawnWithout(inheritedDescriptors(), start);
  } catch (error) {
    return notStarted(Promise.resolve(error));
  }
  const failed = new Promise<unknown>((resolve) => {
    child.on('error', resolve);
  });
  const { pid } = child;
  if (pid === undefined) {
    return notStarted(failed);
  }
  lowerPriority(pid);
  sendFilter(child, start.systemCallFilter);
  let isOver = false;
  child.once('exit', () => {
    isOver = true;
  });
  const kill = (): void => {
    if (!isOver) {
      signalGroup(pid, 'SIGKILL');
    }
  };
  const status = new SandboxStatus(child.stdio[3]);
  const begun = openGate(child, status, start.findFault);
  void begun.then((fault) => fault === null || kill());
  return { pid, begun: begun.then(() => undefined), ended: untilEnded(child, status, begun), kill };
}

/** Starts bubblewrap with empty files in the place of some descriptors. */
function spawnWithout(unwanted: readonly number[], start: SandboxedStart): ChildProcess {
  const { file, environment, input, output, errors } = start;
  const descriptors = [input, output, errors, 'pipe', 'pipe', 'pipe', ...start.descriptors] as const;
  const missing = Math.max(0, 1 + Math.max(-1, ...unwanted) - descriptors.length);
  const nothing = missing > 0 ? openSync('/dev/null', 'r') : null;
  try {
    return spawn(file, ['--json-status-fd', '3', '--seccomp', '5', ...start.arguments], {
      cwd: '/',
      env: { ...environment },
      detached: true,
      stdio: [...descriptors, ...Array<number | null>(missing).fill(nothing)],
    });
  } finally {
    if (nothing !== null) {
      closeSync(nothing);
    }
  }
}

function notStarted(failed: Promise<unknown>): SandboxedProgram {
  const ended = failed.then((error) => ({ ran: false, error }) as const);
  return { pid: null, begun: ended.then(() => undefined), ended, kill: () => undefined };
}

/** Bubblewrap's status report on a sandbox, as lines of JSON. */
class SandboxStatus {
  #text = '';
  /** The first process in the sandbox; null if the report ends without one. Never rejects. */
  readonly firstPid: Promise<number | null>;

  constructor(told: unknown) {
    this.firstPid = new Promise((resolve) => {
      if (!(told instanceof Readable)) {
        resolve(null);
        return;
      }
      told.setEncoding('utf8').on('data', (text: string) => {
        this.#text += text;
        const pid = /"child-pid":\s*(\d+)[,\s}]/.exec(this.#text)?.[1];
        if (pid !== undefined) {
          resolve(Number(pid));
        }
      });
      told.on('error', () => undefined);
      told.once('close', () => resolve(null));
    });
  }

  get tellsExit(): boolean {
    return this.#text.includes('"exit-code"');
  }
}

async function untilEnded(
  child: ChildProcess,
  status: SandboxStatus,
  begun: Promise<string | null>,
): Promise<SandboxedEnd> {
  const { code, signal } = await new Promise<ChildExit>((resolve) => {
    child.once('close', (exitCode, exitSignal) => resolve({ code: exitCode, signal: exitSignal }));
  });
  await untilFirstIsGone(await status.firstPid);
  const fault = await begun;
  if (fault !== null) {
    return { ran: false, error: new Error(fault) };
  }
  if (signal !== null) {
    return { ran: true, exitCode: killedExitCode };
  }
  return status.tellsExit ? { ran: true, exitCode: code ?? 1 } : { ran: false, error: null };
}

type ChildExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** When the first process in the sandbox dies, all others in it die. It dies a moment after the process outside. */
async function untilFirstIsGone(pid: number | null): Promise<void> {
  const givesUpAtMs = performance.now() + deathsMs;
  while (pid !== null && isAlive({ pid, startTicks: null }) && performance.now() < givesUpAtMs) {
    await delay(deathRoundMs);
  }
}

/**
 * Lets a program that waits at the gate begin if its sandbox has no fault. Bubblewrap ties its first process to our life only once it is
 * set up: if this program is killed before that, the gate finds its other end closed and the sandbox ends. Resolves to the fault, if any.
 */
async function openGate(
  child: ChildProcess,
  status: SandboxStatus,
  findFault: SandboxedStart['findFault'],
): Promise<string | null> {
  const gate = child.stdio[4];
  if (!(gate instanceof Socket)) {
    return null;
  }
  const waits = new Promise<boolean>((resolve) => {
    gate.on('error', () => undefined);
    gate.once('data', () => resolve(true));
    gate.once('close', () => resolve(false));
  });
  const pid = (await waits) ? await status.firstPid : null;
  if (pid === null) {
    return null;
  }
  try {
    const fault = findFault(pid);
    if (fault === null) {
      gate.end('\n');
    }
    return fault;
  } catch (error) {
    gate.destroy();
    const reason = error instanceof Error ? error.message : '';
    return isAlive({ pid, startTicks: null }) ? `Its mounts cannot be seen: ${reason}` : null;
  }
}

/** Bubblewrap begins only once it has read the whole filter, and ends if the filter is invalid. */
function sendFilter(child: ChildProcess, filter: Uint8Array): void {
  const end = child.stdio.at(5);
  if (end instanceof Socket) {
    end.on('error', () => undefined);
    end.end(filter);
  }
}

/** Only a help: the kernel may refuse. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // The process has already ended.
  }
}

const closesOnStart = 0o2_000_000;

let known: readonly number[] | undefined;

/**
 * Descriptors that the program that started this one left open, and that every child inherits: Node marks only low numbers close-on-exec.
 * One may be of a directory, through which a program reaches everything below it.
 */
function inheritedDescriptors(): readonly number[] {
  known ??= readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isHandedOn(descriptor));
  return known;
}

function isHandedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & closesOnStart) === 0;
  } catch {
    return false;
  }
}

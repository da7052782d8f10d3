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
  /** Descriptors that are handed on; the caller closes its own. */
  readonly input: number;
  readonly output: number;
  readonly errors: number;
  /** Handed on as the descriptors from 6 on. */
  readonly descriptors: readonly number[];
  /** Looks at the first process of the sandbox before the program begins: a sentence about what is wrong ends the sandbox. May throw. */
  readonly findFault: (pid: number) => string | null;
};

export type SandboxedEnd =
  /** 128 plus the number of the signal where a signal ended the program. */
  | { readonly ran: true; readonly exitCode: number }
  /** The program was never reached: `error` says why where that is known. */
  | { readonly ran: false; readonly error: unknown };

export type SandboxedProgram = {
  /** Of the process outside, above all that is in the sandbox; null where nothing could be started. */
  readonly pid: number | null;
  /** Resolves when the program may begin, or has ended before. Never rejects. */
  readonly begun: Promise<void>;
  /** Resolves when nothing of it is left. Never rejects. */
  readonly ended: Promise<SandboxedEnd>;
  kill(): void;
};

/**
 * Says that it is there, waits for a word from outside, and becomes the program that follows: no text of it is ever read by this shell. Where
 * there is no word but an end, it ends.
 */
export const gate: readonly string[] = ['/bin/sh', '-c', 'echo >&4; read -r _ <&4 || exit 125; exec "$@" 4>&-', 'gate'];

/** A command must not take the processor from who watches it. */
const niceness = 5;

/** How long the end of what was killed is waited for: what hangs in the kernel must not hold a run for ever. */
const deathsMs = 2_000;
const deathRoundMs = 2;

/** As a shell tells of a program that SIGKILL ended. */
const killedExitCode = 137;

/**
 * Starts a program in a sandbox: the arguments are those of bubblewrap but for those that tell how it goes, and the program is `gate` with
 * the words that follow it. Never throws.
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

/** Starts bubblewrap with nothing in the place of some descriptors. */
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

/** What bubblewrap tells of a sandbox, as lines of JSON. */
class SandboxStatus {
  #text = '';
  /** The first process in the sandbox; null if none was told of until the end. Never rejects. */
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

/** The death of the first process in the sandbox is the death of all others in it. It comes a moment after that of the one outside. */
async function untilFirstIsGone(pid: number | null): Promise<void> {
  const givesUpAtMs = performance.now() + deathsMs;
  while (pid !== null && isAlive({ pid, startTicks: null }) && performance.now() < givesUpAtMs) {
    await delay(deathRoundMs);
  }
}

/**
 * Lets a program begin that waits at the gate, if nothing is wrong with its sandbox. Bubblewrap ties its first process to our life only when it is made
 * ready: where this program is killed before that, the gate finds its other end closed, and the sandbox ends. Resolves to what is wrong.
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
    return isAlive({ pid, startTicks: null }) ? `What is mounted in it cannot be seen: ${reason}` : null;
  }
}

/** Bubblewrap begins only when it has read all of it, and ends where it is no filter. */
function sendFilter(child: ChildProcess, filter: Uint8Array): void {
  const end = child.stdio.at(5);
  if (end instanceof Socket) {
    end.on('error', () => undefined);
    end.end(filter);
  }
}

/** Only a help: the kernel may not let it. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended already.
  }
}

const closesOnStart = 0o2_000_000;

let known: readonly number[] | undefined;

/**
 * Descriptors that the program that started this one left open, and that every program started here gets as well: Node marks only those with low numbers
 * to be closed. One may be of a directory, by which a program reaches all that lies below it.
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

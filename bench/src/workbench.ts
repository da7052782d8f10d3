import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export type Program = {
  readonly file: string;
  readonly arguments: readonly string[];
  /** The directory of the workbench if missing. */
  readonly cwd?: string;
  /** The whole environment; empty if missing. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Written to the input of a program that runs to its end. */
  readonly input?: string;
};

const hasGroups = process.platform !== 'win32';
const runPatienceMs = 120_000;
const linePatienceMs = 30_000;

/** The path of a program of `programs`. */
export function pathOfProgram(name: string): string {
  return fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
}

/** A program of `programs`, to be run by this Node. */
export function ownProgram(name: string, ...args: readonly string[]): Program {
  return { file: process.execPath, arguments: [pathOfProgram(name), ...args] };
}

/** Holds the files and processes of a run of the bench, so that nothing of it remains. */
export class Workbench {
  readonly directory: string;
  readonly #children = new Set<Child>();
  readonly #closers: (() => Promise<void>)[] = [];
  #closing: Promise<void> | undefined;
  #directories = 0;

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async open(): Promise<Workbench> {
    return new Workbench(await mkdtemp(join(tmpdir(), 'gemini-mcp-bench-')));
  }

  /** A new empty directory, which no other user may enter. */
  async makeDirectory(): Promise<string> {
    this.#directories += 1;
    const directory = join(this.directory, String(this.#directories));
    await mkdir(directory, { mode: 0o700 });
    return directory;
  }

  /** Starts a process in a group of its own, which is killed at the end if it still runs. */
  start({ file, arguments: words, cwd = this.directory, environment = {} }: Program): Child {
    const child = spawn(file, [...words], {
      cwd,
      env: { ...environment },
      detached: hasGroups,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#children.add(child);
    child.once('close', () => this.#children.delete(child));
    // A process that ends before it has read its input says so by its exit.
    child.stdin.on('error', () => undefined);
    return child;
  }

  /** Runs a process to its end. Resolves to its time and its output. Rejects if it fails or takes more than two minutes. */
  async run(program: Program): Promise<{ readonly durationMs: number; readonly stdout: string }> {
    const startedAtMs = performance.now();
    const child = this.start(program);
    const timer = setTimeout(() => void killGroup(child), runPatienceMs);
    child.stdin.end(program.input ?? '');
    const ended = once(child, 'close').then(() => performance.now());
    const [endedAtMs, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    clearTimeout(timer);
    if (child.exitCode !== 0) {
      const how = child.signalCode ?? `exit code ${child.exitCode}`;
      throw new Error(`${[program.file, ...program.arguments].join(' ')} failed (${how}): ${stderr.slice(-2_000)}`);
    }
    return { durationMs: endedAtMs - startedAtMs, stdout };
  }

  /** Calls this at the end, before processes are killed and files removed; the last one first. */
  onClose(closer: () => Promise<void>): void {
    this.#closers.unshift(closer);
  }

  /** Ends and removes everything; may be called again, also while it is at work. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const closer of this.#closers) {
      await closer().catch(() => undefined);
    }
    await Promise.all([...this.#children].map(killGroup));
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Kills a process with its group and resolves once it is gone. */
export async function killGroup(child: Child): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const closed = once(child, 'close');
  process.kill(hasGroups ? -child.pid : child.pid, 'SIGKILL');
  await closed;
}

/** The next line of a stream. Rejects if the stream ends before it, or after 30 s. */
export function readLine(stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stream });
    const timer = setTimeout(() => lines.close(), linePatienceMs);
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => {
      clearTimeout(timer);
      reject(new Error('The process ended, or was silent for 30 s, before its first line'));
    });
  });
}

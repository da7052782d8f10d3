import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export type Program = {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
};

const hasGroups = process.platform !== 'win32';

/** Holds what a run of the bench makes, files and processes, so that nothing of it remains. */
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
  start(program: Program): Child {
    const child = spawn(program.file, [...program.arguments], {
      cwd: program.cwd,
      env: { ...program.environment },
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

  /** Has something done at the end, before processes are killed and files removed; what comes last is done first. */
  onClose(closer: () => Promise<void>): void {
    this.#closers.unshift(closer);
  }

  /** Ends and removes everything; safe to call again, also while it is at work. */
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

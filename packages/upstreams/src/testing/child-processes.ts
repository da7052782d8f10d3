import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerProcess, ServerProcesses, ServerProgram, ServerStart } from '@gemini-mcp/core/internal';

/** Servers as plain child processes, each killed at its end. Does not track their own children. */
export class ChildProcesses implements ServerProcesses {
  readonly #running = new Set<ServerProcess>();
  #started = 0;

  /** The number of started processes. */
  get started(): number {
    return this.#started;
  }

  /** The number of running processes. */
  get running(): number {
    return this.#running.size;
  }

  async start(program: ServerProgram, signal: AbortSignal): Promise<ServerStart> {
    if (signal.aborted) {
      return { started: false, detail: 'Cancelled before the start.' };
    }
    const child = spawn(program.command, [...program.arguments], {
      cwd: program.workingDirectory,
      env: { PATH: process.env['PATH'] ?? '', HOME: program.workingDirectory, ...program.environment },
    });
    let errorText = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorText = (errorText + text).slice(-4_000);
    });
    child.stdin.on('error', () => undefined);
    const failure = new Promise<string>((resolve) => child.once('error', (error) => resolve(error.message)));
    if (child.pid === undefined) {
      return { started: false, detail: await failure };
    }
    const closed = once(child, 'close');
    child.once('exit', () => setImmediate(() => child.stdin.destroy()));
    const started: ServerProcess = {
      output: child.stdout,
      write: (text) => new Promise((resolve) => child.stdin.write(text, () => resolve())),
      end: async () => {
        child.kill('SIGKILL');
        child.stdout.destroy();
        await closed;
      },
      ended: closed.then(([code, killed]) => {
        this.#running.delete(started);
        return { detail: code === null ? `it was ended by ${killed}` : `it exited with code ${code}`, errorText };
      }),
    };
    this.#started += 1;
    this.#running.add(started);
    return { started: true, process: started };
  }
}

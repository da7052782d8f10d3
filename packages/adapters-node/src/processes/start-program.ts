import { type ChildProcessWithoutNullStreams, type SpawnOptionsWithoutStdio, spawn } from 'node:child_process';

type ProgramExit = { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null };

export type StartedProgram =
  | {
      readonly started: true;
      readonly child: ChildProcessWithoutNullStreams;
      readonly pid: number;
      /** Resolves when the program has ended and its pipes are closed. Never rejects. */
      readonly closed: Promise<ProgramExit>;
    }
  /** `error` resolves to the reason and never rejects. Nothing is left running. */
  | { readonly started: false; readonly error: Promise<unknown> };

/**
 * Starts a program with pipes for its three streams. A failure to start is data, however Node reports it: some are thrown (E2BIG, ENOMEM, a
 * NUL in a value), some are an event (ENOENT, EACCES, EAGAIN), and without free descriptors an object without streams emits the event. No
 * stream error ends this process: the child's exit reports it.
 */
export function startProgram(
  file: string,
  args: readonly string[],
  options: Omit<SpawnOptionsWithoutStdio, 'stdio' | 'signal' | 'timeout'>,
): StartedProgram {
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(file, args, { ...options, stdio: 'pipe' });
  } catch (error) {
    return { started: false, error: Promise.resolve(error) };
  }
  const error = new Promise<unknown>((resolve) => {
    // Stays attached: a signal that cannot be sent also emits this event.
    child.on('error', resolve);
  });
  const streams = [child.stdin, child.stdout, child.stderr].filter((stream) => stream != null);
  for (const stream of streams) {
    stream.on('error', () => undefined);
  }
  if (child.pid !== undefined) {
    const closed = new Promise<ProgramExit>((resolve) => {
      child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    return { started: true, child, pid: child.pid, closed };
  }
  for (const stream of streams) {
    stream.destroy();
  }
  return { started: false, error };
}

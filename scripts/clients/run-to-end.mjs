// Runs a client that asks one question and exits by itself.
import { execa } from 'execa';

/** Runs a program without input. Resolves to its exit code (null if it was killed) and its output. */
export async function runToEnd(file, args, options) {
  const { exitCode, stdout, stderr } = await execa(file, args, {
    ...{ extendEnv: options?.env === undefined, reject: false, stripFinalNewline: false, stdin: 'ignore' },
    ...{ timeout: 300_000, killSignal: 'SIGKILL' },
    ...options,
  });
  return { exitCode: exitCode ?? null, stdout, stderr };
}

// Runs a client that asks one question and exits by itself.
import { execa } from 'execa';

/**
 * Runs a program without input, for five minutes at most unless `options` give another `timeout`. Resolves to its exit code (null if it was killed)
 * and its output. `onStart` gets its process id.
 */
export async function runToEnd(file, args, { onStart = () => undefined, ...options } = {}) {
  const running = execa(file, args, {
    ...{ extendEnv: options.env === undefined, reject: false, stripFinalNewline: false, stdin: 'ignore' },
    ...{ timeout: 300_000, killSignal: 'SIGKILL' },
    ...options,
  });
  onStart(running.pid);
  const { exitCode, stdout, stderr } = await running;
  return { exitCode: exitCode ?? null, stdout, stderr };
}

import { findSystemProgram } from './programs/find-system-program.ts';
import { runProgram } from './run-program.ts';
import { isShortage } from './system-shortage.ts';

export type Command = {
  readonly file: string;
  readonly arguments: readonly string[];
};

/** A command that `containCommand` has wrapped. */
export type ContainedCommand = Command & { readonly isContained: true };

const pdeathsig = ['--pdeathsig', 'KILL', '--'] as const;

/** Whether the setpriv at a path supports the option: that of BusyBox does not. */
const support = new Map<string, Promise<boolean>>();

/**
 * Wraps a command so that its files are private (umask 077) and, on Linux with util-linux, the kernel kills it when this process dies, even
 * by SIGKILL. Each wrapper replaces itself with the next, so the process id remains the command's. `setpriv` is taken from the system's own
 * directories (`directories` overrides them), never from PATH. Rejects if the system is out of resources.
 */
export async function containCommand(command: Command, directories?: readonly string[]): Promise<ContainedCommand> {
  if (process.platform === 'win32') {
    return { ...command, isContained: true };
  }
  const setpriv = await findSetpriv(directories);
  const tie = setpriv === null ? [] : [setpriv, ...pdeathsig];
  const words = [...tie, command.file, ...command.arguments];
  return { file: '/bin/sh', arguments: ['-c', 'umask 077; exec "$@"', 'sh', ...words], isContained: true };
}

async function findSetpriv(directories?: readonly string[]): Promise<string | null> {
  const setpriv = process.platform === 'linux' ? await findSystemProgram('setpriv', directories) : null;
  if (setpriv === null) {
    return null;
  }
  const known = support.get(setpriv) ?? supportsPdeathsig(setpriv);
  support.set(setpriv, known);
  return (await known) ? setpriv : null;
}

async function supportsPdeathsig(setpriv: string): Promise<boolean> {
  const end = await runProgram(
    { file: setpriv, arguments: [...pdeathsig, '/bin/sh', '-c', ':'], environment: {}, timeoutMs: 5_000 },
    new AbortController().signal,
  );
  if (!end.ran || end.exitCode === null) {
    // It did not start, or not in time: a machine that is busy now may support it next time.
    support.delete(setpriv);
  }
  if (!end.ran && isShortage(end.error)) {
    // A failed check does not justify starting the command without it.
    throw end.error;
  }
  return end.ran && end.exitCode === 0;
}

import { execa } from 'execa';
import { searchPath } from './search-path.ts';

export type Command = {
  readonly file: string;
  readonly arguments: readonly string[];
};

/** A command that went through `containCommand`. */
export type ContainedCommand = Command & { readonly isContained: true };

const pdeathsig = ['--pdeathsig', 'KILL', '--'] as const;

/** Whether a setpriv knows the option, by its path: BusyBox has one that does not. */
const support = new Map<string, Promise<boolean>>();

/**
 * Wraps a command so that its files are private (umask 077) and, on Linux with util-linux, the kernel kills it when this
 * process dies, even by SIGKILL. Each wrapper replaces itself by the next, so the process id stays that of the command.
 * `path` is where util-linux is looked for; entries that anybody could have filled do not count.
 */
export async function containCommand(command: Command, path: string): Promise<ContainedCommand> {
  if (process.platform === 'win32') {
    return { ...command, isContained: true };
  }
  const setpriv = await findSetpriv(path);
  const tie = setpriv === null ? [] : [setpriv, ...pdeathsig];
  const words = [...tie, command.file, ...command.arguments];
  return { file: '/bin/sh', arguments: ['-c', 'umask 077; exec "$@"', 'sh', ...words], isContained: true };
}

async function findSetpriv(path: string): Promise<string | null> {
  const setpriv = process.platform === 'linux' ? await searchPath('setpriv', path) : null;
  if (setpriv === null) {
    return null;
  }
  const known = support.get(setpriv) ?? supportsPdeathsig(setpriv);
  support.set(setpriv, known);
  return (await known) ? setpriv : null;
}

async function supportsPdeathsig(setpriv: string): Promise<boolean> {
  const { exitCode } = await execa(setpriv, [...pdeathsig, '/bin/sh', '-c', ':'], {
    env: {},
    extendEnv: false,
    reject: false,
    stdio: 'ignore',
    timeout: 5_000,
  });
  if (exitCode === undefined) {
    // Not started or not in time: a machine that is busy now may have it next time.
    support.delete(setpriv);
  }
  return exitCode === 0;
}

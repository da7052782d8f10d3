import { execa } from 'execa';

export type Command = {
  readonly file: string;
  readonly arguments: readonly string[];
};

let pdeathsigSupport: Promise<boolean> | undefined;

/**
 * Wraps a command so that its files are private (umask 077) and, on Linux with util-linux, the kernel kills it when this
 * process dies, even by SIGKILL. Each wrapper replaces itself by the next, so the process id stays that of the command.
 */
export async function containCommand(command: Command): Promise<Command> {
  if (process.platform === 'win32') {
    return command;
  }
  const plain = [command.file, ...command.arguments];
  const tied = (await supportsPdeathsig()) ? ['setpriv', '--pdeathsig', 'KILL', '--', ...plain] : plain;
  return { file: '/bin/sh', arguments: ['-c', 'umask 077; exec "$@"', 'sh', ...tied] };
}

/** BusyBox has a setpriv without this option, so it is tried once. */
function supportsPdeathsig(): Promise<boolean> {
  pdeathsigSupport ??=
    process.platform === 'linux'
      ? execa('setpriv', ['--pdeathsig', 'KILL', '--', 'true'], {
          reject: false,
          stdio: 'ignore',
          timeout: 5_000,
        }).then((result) => result.exitCode === 0)
      : Promise.resolve(false);
  return pdeathsigSupport;
}

import { realpathSync } from 'node:fs';
import type { OperableProgram } from '../program/operable-program.ts';
import type { CommandLine } from './parse-command-line.ts';
import { type RunCommandOptions, runCommand } from './run-command.ts';

export type TerminalCommand = Pick<CommandLine, 'flags'> &
  Pick<RunCommandOptions, 'mode' | 'version'> & {
    readonly program: OperableProgram;
  };

/** Runs a command for the user at this process's terminal. Resolves to the exit code once stdout has taken the whole output. */
export async function runAtTerminal(command: TerminalCommand): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interrupted.abort());
  }
  const { output, note, exitCode } = await runCommand(
    {
      ...command,
      environment: process.env,
      currentDirectory: process.cwd(),
      nodePath: process.execPath,
      programPath: realpathSync(process.argv[1] ?? ''),
    },
    interrupted.signal,
  );
  await write(process.stdout, output);
  await write(process.stderr, note);
  return exitCode;
}

/** A reader that has gone away, such as `head`, is no failure. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  stream.on('error', () => undefined);
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}

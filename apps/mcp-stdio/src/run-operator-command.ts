import { realpathSync } from 'node:fs';
import { type CommandLine, type RunCommandOptions, runCommand } from '@gemini-mcp/server';
import { operableStdioProgram } from './operable-stdio-program.ts';
import { serverVersion } from './server-version.ts';

export type OperatorCommand = CommandLine & Pick<RunCommandOptions, 'mode'>;

/** Does what somebody at a terminal asked for, and resolves to the exit code once stdout has taken all of it. */
export async function runOperatorCommand({ mode, flags }: OperatorCommand): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interrupted.abort());
  }
  const { output, note, exitCode } = await runCommand(
    {
      program: operableStdioProgram,
      mode,
      flags,
      environment: process.env,
      currentDirectory: process.cwd(),
      version: serverVersion,
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

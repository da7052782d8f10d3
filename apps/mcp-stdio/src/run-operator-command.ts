import { type CommandLine, runAtTerminal, type TerminalCommand } from '@gemini-mcp/server';
import { operableStdioProgram as program } from './operable-stdio-program.ts';
import { serverVersion as version } from './server-version.ts';

export type OperatorCommand = CommandLine & Pick<TerminalCommand, 'mode'>;

/** Runs a command for a user at a terminal. Resolves to the exit code once stdout has taken the whole output. */
export function runOperatorCommand({ mode, flags }: OperatorCommand): Promise<number> {
  return runAtTerminal({ program, version, mode, flags });
}

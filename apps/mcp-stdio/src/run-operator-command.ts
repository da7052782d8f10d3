import { type CommandLine, runAtTerminal, type TerminalCommand } from '@gemini-mcp/server';
import { operableStdioProgram as program } from './operable-stdio-program.ts';
import { serverVersion as version } from './server-version.ts';

export type OperatorCommand = CommandLine & Pick<TerminalCommand, 'mode'>;

/** Does what somebody at a terminal asked for, and resolves to the exit code once stdout has taken all of it. */
export function runOperatorCommand({ mode, flags }: OperatorCommand): Promise<number> {
  return runAtTerminal({ program, version, mode, flags });
}

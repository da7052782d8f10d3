import { openApprovals } from '../approvals/open-approvals.ts';
import { runApprovals } from '../approvals/run-approvals.ts';
import { runDoctor } from '../doctor/run-doctor.ts';
import type { Invocation, OperableProgram } from '../program/operable-program.ts';
import { openKeptSessions } from '../sessions/open-kept-sessions.ts';
import { runSessions } from '../sessions/run-sessions.ts';
import type { CommandLine, Mode } from './parse-command-line.ts';
import { helpText } from './help-text.ts';

export type RunCommandOptions = Invocation &
  Required<CommandLine> & {
    readonly program: OperableProgram;
    readonly mode: Exclude<Mode, { readonly kind: 'serve' }>;
    readonly version: string;
  };

export type CommandResult = {
  /** For stdout. */
  readonly output: string;
  /** For stderr, so that a program that reads stdout does not get it. */
  readonly note: string;
  readonly exitCode: number;
};

/** Runs the command of the command line instead of serving. An abort ends the processes of a running doctor, and its report says so. */
export async function runCommand(options: RunCommandOptions, signal: AbortSignal): Promise<CommandResult> {
  const { program, mode, version } = options;
  switch (mode.kind) {
    case 'help':
      return { output: helpText(program), note: '', exitCode: 0 };
    case 'version':
      return { output: `${version}\n`, note: '', exitCode: 0 };
    case 'print-config': {
      const { text, place } = await program.printConfig(mode.client, options);
      return { output: text, note: `${place}\n`, exitCode: 0 };
    }
    case 'sessions': {
      const { store, notes } = openKeptSessions(program, options);
      const result = await runSessions(mode, store, signal);
      return { ...result, note: notes() + result.note };
    }
    case 'approvals': {
      const { notes, ...place } = openApprovals(program, options);
      const result = await runApprovals(mode, place, signal);
      return { ...result, note: notes() + result.note };
    }
    case 'mcp': {
      const { runMcpCommand } = await import('../mcp-command/run-mcp-command.ts');
      return await runMcpCommand({ ...options, words: mode.words }, signal);
    }
    case 'doctor': {
      const { json, call } = mode;
      const { output, passed } = await runDoctor({ program, sources: options, version, json, call }, signal);
      return { output, note: '', exitCode: passed ? 0 : 1 };
    }
  }
}

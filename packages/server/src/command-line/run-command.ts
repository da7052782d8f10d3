import { realpathSync } from 'node:fs';
import { LoginStore } from '@gemini-mcp/gemini/internal';
import { runDoctor } from '../doctor/run-doctor.ts';
import { flagUsage, type Setting, type SettingGroup, settingGroups } from '../settings/setting.ts';
import type { CommandLine, Mode } from './parse-command-line.ts';
import type { Invocation, OperableProgram } from './program.ts';
import { openApprovals, runApprovals } from './run-approvals.ts';
import { openSavedSessions, runSessions } from './run-sessions.ts';
import { wrapHelp } from './wrap-help.ts';

export type TerminalCommand = Pick<CommandLine, 'flags'> &
  Pick<RunTerminalCommandOptions, 'mode' | 'version'> & {
    readonly program: OperableProgram;
  };

/** Runs a command for the user at this process's terminal. Resolves to the exit code once stdout has taken the whole output. */
export async function runAtTerminal(command: TerminalCommand): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interrupted.abort());
  }
  const { output, note, exitCode } = await runTerminalCommand(
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

/** Ignores EPIPE: a reader such as `head` may close the pipe early. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  stream.on('error', () => undefined);
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}

export type RunTerminalCommandOptions = Invocation &
  Required<CommandLine> & {
    readonly program: OperableProgram;
    readonly mode: Exclude<Mode, { readonly kind: 'serve' }>;
    readonly version: string;
  };

export type CommandResult = {
  /** For stdout. */
  readonly output: string;
  /** For stderr, so that a program reading stdout does not get it. */
  readonly note: string;
  readonly exitCode: number;
};

/** Runs a command instead of serving. An abort ends the processes of a running doctor, and its report says so. */
export async function runTerminalCommand(
  options: RunTerminalCommandOptions,
  signal: AbortSignal,
): Promise<CommandResult> {
  const { program, mode, version } = options;
  switch (mode.kind) {
    case 'help':
      return { output: helpText(program), note: '', exitCode: 0 };
    case 'version':
      return { output: `${version}\n`, note: '', exitCode: 0 };
    case 'print-config': {
      const { text, place } = await program.printConfig(mode.client, { ...options, link: mode.link });
      return { output: text, note: `${place}\n`, exitCode: 0 };
    }
    case 'login': {
      const { runLogin } = await import('../login-command/run-login.ts');
      const { readKey } = await import('../login-command/read-key.ts');
      const { environment } = options;
      const place = { environment, store: new LoginStore(environment), platform: process.platform };
      return await runLogin(mode, { ...place, readKey: (until) => readKey(process, until) }, signal);
    }
    case 'setup': {
      const { runSetupHere } = await import('../setup/run-setup-here.ts');
      return await runSetupHere({ ...options, mode }, signal);
    }
    case 'sessions': {
      const { store, notes } = openSavedSessions(program, options);
      const result = await runSessions(mode, store, signal);
      return { ...result, note: notes() + result.note };
    }
    case 'approvals': {
      const { notes, ...place } = openApprovals(program, options);
      const result = await runApprovals(mode, place, signal);
      return { ...result, note: notes() + result.note };
    }
    case 'usage': {
      const { openUsage, runUsage } = await import('./run-usage.ts');
      return await runUsage(mode, await openUsage(program, options), signal);
    }
    case 'review': {
      const { runReviewHere } = await import('../review-command/run-review-here.ts');
      return await runReviewHere({ ...options, mode }, signal);
    }
    case 'mcp': {
      const { runMcpCommand } = await import('../mcp-command/run-mcp.ts');
      return await runMcpCommand({ ...options, words: mode.words }, signal);
    }
    case 'doctor': {
      const { json, call } = mode;
      const { output, passed } = await runDoctor({ program, sources: options, version, json, call }, signal);
      return { output, note: '', exitCode: passed ? 0 : 1 };
    }
  }
}

/** The text of `--help`. */
export function helpText({ intro, settings }: Pick<OperableProgram, 'intro' | 'settings'>): string {
  return `${[intro, ...settingGroups(settings).map(describeGroup)].join('\n\n')}\n`;
}

function describeGroup({ name, settings }: SettingGroup): string {
  return [`${name}:`, ...settings.map(describeSetting)].join('\n');
}

function describeSetting(setting: Setting): string {
  const { variable, description, shownDefault } = setting;
  const usage = flagUsage(setting);
  const meaning = `${withoutMarkup(description)} Default: ${withoutMarkup(shownDefault)}.`;
  return [usage === null ? `  ${variable}` : `  ${usage}  (${variable})`, wrapHelp(meaning)].join('\n');
}

/** Converts Markdown to plain text for a terminal. */
function withoutMarkup(markdown: string): string {
  return markdown
    .replace(/\[([^\]]+)\]\(#[^)]+\)/g, '"$1" in docs/configuration.md')
    .replace(/\[([^\]]+)\]\(([\w/-]+\.md)[^)]*\)/g, '"$1" in docs/$2')
    .replaceAll('`', '');
}

import { ProgramPath, runProgram } from '@gemini-mcp/adapters-node/internal';
import { homeDirectory } from '@gemini-mcp/adapters-node/internal/startup';
import { LoginStore, namesLogin } from '@gemini-mcp/gemini/internal';
import type { SetupMode } from '../command-line/parse-command-line.ts';
import type { Invocation, OperableProgram } from '../command-line/program.ts';
import type { CommandResult } from '../command-line/run-command.ts';
import { readKey } from '../login-command/read-key.ts';
import { runLogin } from '../login-command/run-login.ts';
import { ConfigurationError } from '../settings/setting.ts';
import { removeLastingPrograms } from './lasting-program.ts';
import { runSetup } from './run-setup.ts';
import type { SetupContext } from './setup-context.ts';
import { SetupRecords } from './setup-records.ts';

type SetupHereOptions = Invocation & { readonly program: OperableProgram; readonly mode: SetupMode };

/** Longer than a client's own command takes. */
const commandTimeoutMs = 30_000;

/** Runs `setup` for the user at this terminal, with a login first if there is no login yet. */
export async function runSetupHere(options: SetupHereOptions, signal: AbortSignal): Promise<CommandResult> {
  const { mode } = options;
  const login = mode.undo || mode.isDryRun ? nothing : await askForLogin(options, signal);
  // After the login: the entries then need no variables for it.
  const context = await openContext(options);
  if ('problem' in context) {
    return joined(login, { output: '', note: `${context.problem}\n`, exitCode: 1 });
  }
  return joined(login, await runSetup(mode, context, signal));
}

const nothing: CommandResult = { output: '', note: '', exitCode: 0 };

function joined(login: CommandResult, setup: CommandResult): CommandResult {
  return { output: login.output + setup.output, note: login.note + setup.note, exitCode: setup.exitCode };
}

async function askForLogin({ environment }: SetupHereOptions, signal: AbortSignal): Promise<CommandResult> {
  const store = new LoginStore(environment);
  if (store.look().type === 'found') {
    return nothing;
  }
  if (namesLogin(environment)) {
    const note =
      'Some clients start servers without the variables of your shell. For those, store the key: gemini-mcp-server login\n';
    return { ...nothing, note };
  }
  if (!process.stdin.isTTY) {
    return { ...nothing, note: 'There is no login yet. Store an API key: gemini-mcp-server login\n' };
  }
  const place = { environment, store, platform: process.platform };
  const mode = { kind: 'login', action: 'login', store: null } as const;
  return await runLogin(mode, { ...place, readKey: (until) => readKey(process, until) }, signal);
}

async function openContext(options: SetupHereOptions): Promise<SetupContext | { readonly problem: string }> {
  const { program, mode, environment, currentDirectory } = options;
  if (program.findServer === null) {
    throw new ConfigurationError(
      'setup: clients do not start this server. For their settings: --print-config <client>',
    );
  }
  const found = await program.findServer(options);
  if ('problem' in found) {
    return found;
  }
  const unkept = mode.undo || mode.isDryRun ? null : ((await found.keep?.()) ?? null);
  if (unkept !== null) {
    return { problem: unkept };
  }
  // Without roots: in a home directory, the programs of its user lie below the current one.
  const programs = new ProgramPath({ environment });
  const home = homeDirectory(environment);
  return {
    server: found.server,
    records: new SetupRecords(environment),
    places: { home, currentDirectory, environment, platform: process.platform },
    removePrograms: () => removeLastingPrograms(environment),
    findProgram: (name) => programs.find(name),
    run: async (file, args, signal) => {
      const run = { file, arguments: args, environment, cwd: home, timeoutMs: commandTimeoutMs };
      const end = await runProgram(run, signal);
      return end.ran && end.exitCode === 0;
    },
  };
}

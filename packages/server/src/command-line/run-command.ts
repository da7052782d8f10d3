import { runDoctor } from '../doctor/run-doctor.ts';
import type { Environment } from '../settings/environment.ts';
import { readConfiguration } from '../settings/read-configuration.ts';
import { clientSnippet } from './client-snippet.ts';
import type { CommandLine, Mode } from './command-line.ts';
import { helpText } from './help-text.ts';

export type RunCommandOptions = {
  readonly mode: Exclude<Mode, { readonly kind: 'serve' }>;
  readonly flags: CommandLine['flags'];
  readonly environment: Environment;
  readonly currentDirectory: string;
  readonly version: string;
  /** The Node that runs this program. */
  readonly nodePath: string;
  /** The absolute path of this program. */
  readonly programPath: string;
};

export type CommandResult = {
  /** For stdout. */
  readonly output: string;
  /** For stderr, so that it is in nobody's way who reads stdout by a program. */
  readonly note: string;
  readonly exitCode: number;
};

/** Does what a server was started for instead of serving. An abort ends what a doctor has started, and its report says so. */
export async function runCommand(options: RunCommandOptions, signal: AbortSignal): Promise<CommandResult> {
  const { mode, flags, environment, currentDirectory, version, nodePath, programPath } = options;
  switch (mode.kind) {
    case 'help':
      return { output: helpText(), note: '', exitCode: 0 };
    case 'version':
      return { output: `${version}\n`, note: '', exitCode: 0 };
    case 'print-config': {
      // What a client would start in vain is refused here, where somebody reads it.
      readConfiguration({ environment: {}, flags, currentDirectory });
      const { text, place } = clientSnippet(mode.client, {
        command: nodePath,
        args: [programPath, ...[...flags].map(([name, value]) => `--${name}=${value}`)],
        hasApiKey: Boolean(environment['GEMINI_API_KEY']),
      });
      return { output: text, note: `${place}\n`, exitCode: 0 };
    }
    case 'doctor': {
      const { json, call } = mode;
      const sources = { environment, flags, currentDirectory };
      const { output, passed } = await runDoctor({ sources, version, json, call }, signal);
      return { output, note: '', exitCode: passed ? 0 : 1 };
    }
  }
}

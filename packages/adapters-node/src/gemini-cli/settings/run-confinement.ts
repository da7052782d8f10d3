import { delimiter, join, parse } from 'node:path';
import { boundPatternsPiece } from '../../inside-the-cli/bound-patterns.ts';
import { type Confinement, confineFilesPiece } from '../../inside-the-cli/confine-files.ts';
import type { PreloadPiece } from '../../inside-the-cli/preload.ts';
import { type Environment, searchPathOf } from '../environment/child-environment.ts';
import { loginFiles } from '../environment/cli-login.ts';
import type { RunDirectory } from '../run-directory/run-directory.ts';
import type { AuthType } from './cli-settings.ts';

export type RunConfinementOptions = {
  readonly directory: Pick<RunDirectory, 'root' | 'home'>;
  /** Whether the tools look into a directory of the operator's word: what its settings name may lie anywhere. */
  readonly isTrusted: boolean;
  /** What the server keeps of all owners. */
  readonly privateDirectories: readonly string[];
  /** The user's own `.gemini` directory; null for a run with a key of its own. */
  readonly loginDirectory: string | null;
  readonly authType: AuthType;
  /** The whole environment of the process. */
  readonly environment: Environment;
};

/** Where an administrator's settings and policies of Gemini CLI 0.61.0 lie. */
const administratorsPlaces: Readonly<Record<string, string>> = {
  darwin: '/Library/Application Support/GeminiCli',
  win32: 'C:\\ProgramData\\gemini-cli',
};

/** Asked for what the machine is, on the way to a login among others. */
const systemPlaces = ['/dev/null', '/dev/tty', '/proc/version', '/.dockerenv', '/etc/os-release', '/sys/class/dmi/id/'];

/** These log in by files that may name others anywhere. */
const loginsByFiles: readonly AuthType[] = ['vertex-ai', 'compute-default-credentials'];

/** What is loaded into a process whose tools read files, before the CLI: bounds for what patterns of the model may do. */
export function boundReadingTools(options: RunConfinementOptions): readonly PreloadPiece[] {
  return [confineFilesPiece(buildRunConfinement(options)), boundPatternsPiece()];
}

/** What such a process gets to see. */
function buildRunConfinement(options: RunConfinementOptions): Confinement {
  const { directory, isTrusted, privateDirectories, loginDirectory, authType, environment } = options;
  const { root, home } = directory;
  const { GOOGLE_APPLICATION_CREDENTIALS: credentials, NODE_EXTRA_CA_CERTS: certificates } = environment;
  const logins = loginDirectory === null ? [] : loginFiles.map((name) => join(loginDirectory, name));
  return {
    own: root,
    // The copies of all sessions, and what was said in each, have names that only their maker knows.
    unlisted: [root, join(root, 'directories'), ...['tmp', 'history'].map((name) => join(home, '.gemini', name))],
    hidden: privateDirectories,
    open: isTrusted ? [parse(root).root] : [administratorsPlaces[process.platform] ?? '/etc/gemini-cli'],
    read: [...logins, ...systemPlaces, ...[credentials, certificates].filter((path) => path !== undefined)],
    programs: searchPathOf(environment)
      .split(delimiter)
      .filter((path) => path !== ''),
    readsAnywhere: loginsByFiles.includes(authType) || credentials !== undefined,
  };
}

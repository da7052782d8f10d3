import { basename, dirname, isAbsolute, join } from 'node:path';
import {
  accountHome,
  type ChosenDirectories,
  chooseDirectories,
  defaultStateDirectory,
  findExposure,
  findForeignHome,
  findUnfilledVariables,
  homeDirectory,
  type PinnedPaths,
  pinPaths,
} from '@gemini-mcp/adapters-node/internal/startup';
import { profiles, queuedPerRunning, type Sizes } from './profiles.ts';
import { defaultTimeoutsMs, type ServerSettingValues, serverSettings } from './server-settings.ts';
import { ConfigurationError, readSettings, type SettingSources } from './setting.ts';

/** The validated settings of a server with defaults applied, and the values derived from them. */
export type Configuration = Omit<ServerSettingValues, keyof SettledSettings | 'timeoutMs'> & SettledSettings;

/** Values derived from several settings, or from the start directory. */
type SettledSettings = ChosenDirectories &
  Timeouts &
  Pick<Sizes, 'maxRunning' | 'maxFiles' | 'maxBytes' | 'maxMediaBytes' | 'warmProcesses' | 'warmIdleMs'> & {
    /** The most calls that wait for one of the `maxRunning` slots. */
    readonly maxQueued: number;
    /** Real paths of the directories at the time the settings were read. A symlink created or changed later has no effect. */
    readonly pinnedPaths: PinnedPaths;
    /** Private directory for data that outlives a call. */
    readonly stateDirectory: string;
    /** The user's own `.gemini` directory, which holds the login of the Gemini CLI. */
    readonly userDirectory: string;
    /** The default path of the user's upstream server settings. */
    readonly userServersFile: string;
  };

/** A setting without effect. */
export type ConfigurationWarning = {
  readonly variable: string;
  readonly message: string;
};

export type ConfigurationSources = SettingSources & {
  /** The default working directory. */
  readonly currentDirectory: string;
  /** The real path of the file that runs, to recognize its own package. */
  readonly programPath?: string;
};

export type ConfigurationRead = {
  readonly configuration: Configuration;
  /** Settings without effect, for the log. */
  readonly warnings: readonly ConfigurationWarning[];
};

/** Reads the settings of every server. Throws a `ConfigurationError` that names the invalid variable or flag. */
export function readConfiguration(sources: ConfigurationSources): ConfigurationRead {
  const { environment, currentDirectory } = sources;
  const home = homeDirectory(environment);
  const { timeoutMs, ...values } = readSettings(serverSettings, sources);
  const configuration: Configuration = {
    ...values,
    ...settleDirectories(values, { currentDirectory, home, packages: packagesOf(sources) }),
    ...settleTimeouts({ ...values, timeoutMs }),
    ...settleSizes(values),
    allowYolo: values.allowYolo && !values.readOnly,
    stateDirectory: values.stateDirectory ?? defaultStateDirectory('gemini-mcp-server', environment, home),
    userDirectory: join(home, '.gemini'),
    userServersFile: join(settingsDirectory(environment, home), 'gemini-mcp-server', 'settings.json'),
  };
  return {
    configuration,
    warnings: [...findUnfilled(environment), ...findUnusedHome(environment), ...findWithoutEffect(values)],
  };
}

/** The settings directory of programs on this platform. */
function settingsDirectory(environment: SettingSources['environment'], home: string): string {
  const [named, usual] =
    process.platform === 'win32'
      ? [environment['APPDATA'], join(home, 'AppData', 'Roaming')]
      : [environment['XDG_CONFIG_HOME'], join(home, '.config')];
  return named !== undefined && isAbsolute(named) ? named : usual;
}

type Start = {
  readonly currentDirectory: string;
  readonly home: string;
  readonly packages: readonly string[];
};

/** The variables in which clients name the directory of the plugin that a server belongs to. */
const pluginVariables = ['PLUGIN_ROOT', 'CLAUDE_PLUGIN_ROOT', 'CODEX_PLUGIN_ROOT'];

/** The package of the running file, which lies in its `dist`, and the plugin of the server. */
function packagesOf({ environment, programPath }: ConfigurationSources): readonly string[] {
  const own =
    programPath === undefined || basename(dirname(programPath)) !== 'dist' ? [] : [dirname(dirname(programPath))];
  return [...own, ...pluginVariables.flatMap((name) => environment[name] ?? [])].filter((path) => isAbsolute(path));
}

function settleDirectories(
  values: Pick<ServerSettingValues, 'workingDirectory' | 'roots' | 'trustedDirectories' | 'projects'>,
  start: Start,
): ChosenDirectories & Pick<Configuration, 'pinnedPaths'> {
  const chosen = chooseDirectories(values, { ...start, program: 'the server' });
  return {
    ...chosen,
    pinnedPaths: pinPaths([chosen.workingDirectory, ...chosen.roots, ...values.trustedDirectories, ...values.projects]),
  };
}

function settleSizes(
  values: Pick<ServerSettingValues, 'profile' | 'maxRunning'>,
): Pick<Configuration, 'maxRunning' | 'maxQueued' | SizeOfProfile> {
  const { maxFiles, maxBytes, maxMediaBytes, warmProcesses, warmIdleMs, ...usual } = profiles[values.profile];
  const maxRunning = values.maxRunning ?? usual.maxRunning;
  const maxQueued = queuedPerRunning * maxRunning;
  return { maxRunning, maxQueued, maxFiles, maxBytes, maxMediaBytes, warmProcesses, warmIdleMs };
}

type SizeOfProfile = 'maxFiles' | 'maxBytes' | 'maxMediaBytes' | 'warmProcesses' | 'warmIdleMs';

/** Settings and logins that the client or channel did not fill in. */
function findUnfilled(environment: SettingSources['environment']): readonly ConfigurationWarning[] {
  const message = 'It has a placeholder that was not filled in, so it counts as not set.';
  return findUnfilledVariables(environment).map((variable) => ({ variable, message }));
}

/** The HOME of another user: what lies there is theirs to change. */
function findUnusedHome(environment: SettingSources['environment']): readonly ConfigurationWarning[] {
  const home = findForeignHome(environment);
  const message = `${home} belongs to another user, so this account's home is used: ${accountHome()}.`;
  return home === null ? [] : [{ variable: 'HOME', message }];
}

/** Settings that other settings override. */
function findWithoutEffect({
  allowYolo,
  readOnly,
}: Pick<ServerSettingValues, 'allowYolo' | 'readOnly'>): readonly ConfigurationWarning[] {
  const yolo = { variable: serverSettings.allowYolo.variable, message: 'It has no effect: the server is read-only.' };
  return allowYolo && readOnly ? [yolo] : [];
}

type TimeoutSettings = {
  readonly timeoutMs: number | null;
  readonly chatTimeoutMs: number | null;
  readonly searchTimeoutMs: number | null;
};

type Timeouts = {
  /** For gemini_query and gemini_job if the caller does not set a timeout. */
  readonly queryTimeoutMs: number;
  /** For geminiChat, chat and chat-reply. */
  readonly chatTimeoutMs: number;
  /** For googleSearch. */
  readonly searchTimeoutMs: number;
};

/** The common timeout applies to every tool without its own. */
function settleTimeouts({ timeoutMs, chatTimeoutMs, searchTimeoutMs }: TimeoutSettings): Timeouts {
  return {
    queryTimeoutMs: timeoutMs ?? defaultTimeoutsMs.query,
    chatTimeoutMs: chatTimeoutMs ?? timeoutMs ?? defaultTimeoutsMs.chat,
    searchTimeoutMs: searchTimeoutMs ?? timeoutMs ?? defaultTimeoutsMs.search,
  };
}

/**
 * Throws a `ConfigurationError` if the state directory belongs to another user or others could replace it: the server trusts its
 * contents, which include conversations.
 */
export function refuseStateDirectory({ stateDirectory }: Pick<Configuration, 'stateDirectory'>): void {
  const problem = findExposure(stateDirectory);
  if (problem !== null) {
    throw new ConfigurationError(
      `The state directory (GEMINI_MCP_STATE_DIR, --state-dir) is not safe: ${problem}. Fix this, or set another directory.`,
    );
  }
}

/** The pinned real path of a configured directory. Any other path must already be real. */
export function realPathOfSetting({ pinnedPaths }: Pick<Configuration, 'pinnedPaths'>, path: string): string {
  return pinnedPaths.get(path) ?? path;
}

import { isAbsolute, join } from 'node:path';
import {
  type ChosenDirectories,
  chooseDirectories,
  defaultStateDirectory,
  findExposure,
  homeDirectory,
  type PinnedPaths,
  pinPaths,
} from '@gemini-mcp/adapters-node/internal/startup';
import { profiles, queuedPerRunning, type Sizes } from './profiles.ts';
import { defaultTimeoutsMs, type ServerSettingValues, serverSettings } from './server-settings.ts';
import { ConfigurationError, readSettings, type SettingSources } from './setting.ts';

/** The settings of a server, checked, each with its default where it is not set, and what follows from them. */
export type Configuration = Omit<ServerSettingValues, keyof SettledSettings | 'timeoutMs'> & SettledSettings;

/** What is decided from several settings, or from where the server was started. */
type SettledSettings = ChosenDirectories &
  Timeouts &
  Pick<Sizes, 'maxRunning' | 'maxFiles' | 'maxBytes' | 'maxMediaBytes' | 'warmProcesses' | 'warmIdleMs'> & {
    /** Calls that wait for one of the places of `maxRunning`. */
    readonly maxQueued: number;
    /** Where the directories lay when the settings were read: a link that is made or changed later has no effect. */
    readonly pinnedPaths: PinnedPaths;
    /** Private directory for what has to outlive a call. */
    readonly stateDirectory: string;
    /** The user's own `.gemini` directory, where a login of the Gemini CLI lies. */
    readonly userDirectory: string;
    /** Where the user's settings of other servers lie when no other file is named. */
    readonly userServersFile: string;
  };

/** Something that was set and does nothing. */
export type ConfigurationWarning = {
  readonly variable: string;
  readonly message: string;
};

export type ConfigurationSources = SettingSources & {
  /** The working directory where nothing else is set. */
  readonly currentDirectory: string;
};

export type ConfigurationRead = {
  readonly configuration: Configuration;
  /** What was set and does nothing, for the log. */
  readonly warnings: readonly ConfigurationWarning[];
};

/** Reads the settings that every server has. Throws a `ConfigurationError` that names the variable or the flag which is wrong. */
export function readConfiguration(sources: ConfigurationSources): ConfigurationRead {
  const { environment, currentDirectory } = sources;
  const home = homeDirectory(environment);
  const { timeoutMs, ...values } = readSettings(serverSettings, sources);
  const configuration: Configuration = {
    ...values,
    ...settleDirectories(values, { currentDirectory, home }),
    ...settleTimeouts({ ...values, timeoutMs }),
    ...settleSizes(values),
    allowYolo: values.allowYolo && !values.readOnly,
    stateDirectory: values.stateDirectory ?? defaultStateDirectory('gemini-mcp-server', environment, home),
    userDirectory: join(home, '.gemini'),
    userServersFile: join(settingsDirectory(environment, home), 'gemini-mcp-server', 'settings.json'),
  };
  return { configuration, warnings: findWithoutEffect(values) };
}

/** Where programs of this platform keep their settings. */
function settingsDirectory(environment: SettingSources['environment'], home: string): string {
  const [named, usual] =
    process.platform === 'win32'
      ? [environment['APPDATA'], join(home, 'AppData', 'Roaming')]
      : [environment['XDG_CONFIG_HOME'], join(home, '.config')];
  return named !== undefined && isAbsolute(named) ? named : usual;
}

type Start = { readonly currentDirectory: string; readonly home: string };

function settleDirectories(
  values: Pick<ServerSettingValues, 'workingDirectory' | 'roots' | 'trustedDirectories'>,
  start: Start,
): ChosenDirectories & Pick<Configuration, 'pinnedPaths'> {
  const chosen = chooseDirectories(values, { ...start, program: 'the server' });
  return {
    ...chosen,
    pinnedPaths: pinPaths([chosen.workingDirectory, ...chosen.roots, ...values.trustedDirectories]),
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

/** What was set and the rest of the settings makes void. */
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
  /** For gemini_query and gemini_job when the caller gives none. */
  readonly queryTimeoutMs: number;
  /** For geminiChat, chat and chat-reply. */
  readonly chatTimeoutMs: number;
  /** For googleSearch. */
  readonly searchTimeoutMs: number;
};

/** The common timeout holds wherever a tool has none of its own. */
function settleTimeouts({ timeoutMs, chatTimeoutMs, searchTimeoutMs }: TimeoutSettings): Timeouts {
  return {
    queryTimeoutMs: timeoutMs ?? defaultTimeoutsMs.query,
    chatTimeoutMs: chatTimeoutMs ?? timeoutMs ?? defaultTimeoutsMs.chat,
    searchTimeoutMs: searchTimeoutMs ?? timeoutMs ?? defaultTimeoutsMs.search,
  };
}

/**
 * Throws a `ConfigurationError` where the state directory is another user's, or others could put something in its place: what
 * lies in it is believed, and holds what was said in conversations.
 */
export function refuseStateDirectory({ stateDirectory }: Pick<Configuration, 'stateDirectory'>): void {
  const problem = findExposure(stateDirectory);
  if (problem !== null) {
    throw new ConfigurationError(
      `The state directory (GEMINI_MCP_STATE_DIR, --state-dir) is not safe: ${problem}. Name another one, or put that right.`,
    );
  }
}

/** Where a directory of the settings lay when they were read. Any other path is taken for a real one. */
export function realPathOf({ pinnedPaths }: Pick<Configuration, 'pinnedPaths'>, path: string): string {
  return pinnedPaths.get(path) ?? path;
}

import { isAbsolute, join } from 'node:path';
import {
  type ChosenDirectories,
  chooseDirectories,
  defaultStateDirectory,
  homeDirectory,
  pinPaths,
} from '@gemini-mcp/adapters-node/internal/startup';
import type { Configuration, ConfigurationWarning } from './configuration.ts';
import { profiles, queuedPerRunning } from './profiles.ts';
import { readSettings, type SettingSources } from './read-settings.ts';
import { type ServerSettingValues, serverSettings } from './server-settings.ts';
import { settleTimeouts } from './settle-timeouts.ts';

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

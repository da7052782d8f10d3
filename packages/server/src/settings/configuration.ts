import type { ChosenDirectories, PinnedPaths } from '@gemini-mcp/adapters-node/internal/startup';
import type { Sizes } from './profiles.ts';
import type { ServerSettingValues } from './server-settings.ts';
import type { Timeouts } from './settle-timeouts.ts';

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

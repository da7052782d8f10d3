import { FileProjectApprovals } from '@gemini-mcp/adapters-node/internal';
import type { Configuration } from '../settings/configuration.ts';
import type { Environment } from '../settings/environment.ts';
import { hubVariable } from './hub-mark.ts';
import { HubSettingsFiles } from './hub-settings-files.ts';
import { settingsPlaces } from './settings-places.ts';

export type HubSettingsPlace = {
  readonly configuration: Configuration;
  readonly environment: Environment;
  readonly isOfOneUser: boolean;
};

/** The settings files of other servers, as a server with this configuration reads them. */
export function openHubSettings({ configuration, environment, isOfOneUser }: HubSettingsPlace): HubSettingsFiles {
  return new HubSettingsFiles({
    // One that a server of this kind has started speaks with no others: it could be its own.
    places: environment[hubVariable] === undefined ? settingsPlaces({ configuration, isOfOneUser }) : [],
    named: configuration,
    approvals: new FileProjectApprovals(configuration.stateDirectory),
  });
}

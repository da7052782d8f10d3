import type { RecordStore } from '@gemini-mcp/core';
import { ProjectApprovals } from '@gemini-mcp/core/internal';
import type { Configuration } from '../settings/configuration.ts';
import type { Environment } from '../settings/environment.ts';
import { digestOf } from './digest-of.ts';
import { hubVariable } from './hub-mark.ts';
import { HubSettingsFiles } from './hub-settings-files.ts';
import { settingsPlaces } from './settings-places.ts';

export type HubSettingsPlace = {
  readonly configuration: Configuration;
  readonly environment: Environment;
  readonly isOfOneUser: boolean;
  /** Says what the user has approved. */
  readonly records: RecordStore;
};

/** The settings files of other servers, as a server with this configuration reads them. */
export function openHubSettings({
  configuration,
  environment,
  isOfOneUser,
  records,
}: HubSettingsPlace): HubSettingsFiles {
  return new HubSettingsFiles({
    // One that a server of this kind has started speaks with no others: it could be its own.
    places: environment[hubVariable] === undefined ? settingsPlaces({ configuration, isOfOneUser }) : [],
    named: configuration,
    approvals: new ProjectApprovals(records, digestOf),
  });
}

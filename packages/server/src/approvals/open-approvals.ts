import { realpathSync } from 'node:fs';
import { SystemClock } from '@gemini-mcp/adapters-node';
import { FileProjectApprovals } from '@gemini-mcp/adapters-node/internal';
import { escapeName } from '@gemini-mcp/core/internal';
import { createApprovalStore } from '../composition/create-approval-store.ts';
import { HubSettingsFiles } from '../hub/hub-settings-files.ts';
import { settingsPlaces } from '../hub/settings-places.ts';
import type { OperableProgram } from '../program/operable-program.ts';
import type { ConfigurationSources } from '../settings/read-configuration.ts';
import type { ApprovalsPlace } from './run-approvals.ts';

export type OpenedApprovals = ApprovalsPlace & {
  /** What to tell on stderr once the store has been used: lines with their ends. */
  readonly notes: () => string;
};

/** Opens what a server with these settings keeps. Throws a `ConfigurationError` for a wrong setting. */
export function openApprovals(program: OperableProgram, sources: ConfigurationSources): OpenedApprovals {
  const { configuration } = program.readSettings(sources);
  const lines: string[] = [];
  const store = createApprovalStore(configuration, ({ path, reason }) => {
    lines.push(`${escapeName(path)} allows nothing: ${escapeName(reason)}. Delete it.\n`);
  });
  const directory = realpathSync(sources.currentDirectory);
  const servers = new HubSettingsFiles({
    places: settingsPlaces({ configuration, isOfOneUser: program.ownerOf === null }),
    approvals: new FileProjectApprovals(configuration.stateDirectory),
  });
  const digestOf = async (server: string): Promise<string | null> => {
    const { merged } = await servers.read();
    return merged.servers.get(server)?.digest ?? null;
  };
  return { store, clock: new SystemClock(), directory, digestOf, notes: () => lines.join('') };
}

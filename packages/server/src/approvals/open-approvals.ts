import { realpathSync } from 'node:fs';
import { SystemClock } from '@gemini-mcp/adapters-node';
import { escapeName, ProjectApprovals } from '@gemini-mcp/core/internal';
import { createApprovalStore, createRecordStore } from '../composition/create-stores.ts';
import { digestOf as sha256 } from '../hub/digest-of.ts';
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
  const clock = new SystemClock();
  const records = createRecordStore(configuration, clock, ({ path, reason }) => {
    lines.push(`A record could not be read (${escapeName(reason)}) and was moved to ${escapeName(path)}.\n`);
  });
  const store = createApprovalStore(records, (sentence) => void lines.push(`${escapeName(sentence)}\n`));
  const directory = realpathSync(sources.currentDirectory);
  const servers = new HubSettingsFiles({
    places: settingsPlaces({ configuration, isOfOneUser: program.ownerOf === null }),
    approvals: new ProjectApprovals(records, sha256),
  });
  const digestOf = async (server: string): Promise<string | null> => {
    const { merged } = await servers.read();
    return merged.servers.get(server)?.digest ?? null;
  };
  return { store, clock, directory, digestOf, notes: () => lines.join('') };
}

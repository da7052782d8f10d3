import { realpathSync } from 'node:fs';
import { SystemClock } from '@gemini-mcp/adapters-node';
import { escapeName } from '@gemini-mcp/core/internal';
import { createApprovalStore } from '../composition/create-approval-store.ts';
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
  return { store, clock: new SystemClock(), directory, notes: () => lines.join('') };
}

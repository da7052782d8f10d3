import { FileApprovalStore, type UnusableApproval } from '@gemini-mcp/adapters-node';
import type { ApprovalStore } from '@gemini-mcp/core';
import type { Configuration } from '../settings/configuration.ts';

/** What the user of this machine has allowed for good. `onUnusable` is told of each file that allows nothing because it cannot be read. */
export function createApprovalStore(
  { stateDirectory }: Pick<Configuration, 'stateDirectory'>,
  onUnusable: (unusable: UnusableApproval) => void,
): ApprovalStore {
  return new FileApprovalStore({ directory: stateDirectory, onUnusable });
}

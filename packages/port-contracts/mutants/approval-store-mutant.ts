import type { ApprovalStore } from '@gemini-mcp/core';
import type { ApprovalStorePoints } from './breakable-approval-store.ts';
import type { Mutant } from './prove-mutants.ts';

export type ApprovalStoreMutant = Mutant & {
  readonly points?: Partial<ApprovalStorePoints>;
  readonly change?: (right: ApprovalStore) => Partial<ApprovalStore>;
  /** What it keeps ends with the instance. */
  readonly forgets?: true;
};

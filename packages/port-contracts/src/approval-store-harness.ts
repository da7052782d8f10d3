import type { ApprovalStore, ApprovalToKeep, LastingApproval } from '@gemini-mcp/core';
import type { Proof } from './proof.ts';
import type { RecordDamage, StoreFeatures } from './store-features.ts';

export type ApprovalStoreHarness = {
  readonly store: ApprovalStore;
  /** The same approvals as another process would see them. */
  readonly reopen: () => ApprovalStore;
  /** Makes every `add` fail, until what it resolves to is called. */
  readonly breakWriting?: () => Promise<() => Promise<void>>;
  /** Makes the record of an approval unreadable. */
  readonly damage?: (approval: LastingApproval, damage: RecordDamage) => Promise<void>;
  /** Changes the words that the record of an approval allows, as one would by hand. */
  readonly edit?: (approval: LastingApproval, prefix: readonly [string, ...string[]]) => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export type ApprovalStoreSubject = {
  readonly proof: Proof;
  readonly open: () => Promise<ApprovalStoreHarness>;
  readonly features: StoreFeatures;
};

/** An approval of commands that begin with these words. */
export function approvalOf(
  prefix: readonly [string, ...string[]],
  fields: Partial<ApprovalToKeep> = {},
): ApprovalToKeep {
  return {
    directory: '/home/user/project',
    allows: { type: 'command', prefix, network: false },
    allowedAtMs: 1_700_000_000_000,
    ...fields,
  };
}

export const install: ApprovalToKeep = approvalOf(['npm', 'install']);

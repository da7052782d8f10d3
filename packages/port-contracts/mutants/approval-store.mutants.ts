import type { ApprovalStore } from '@gemini-mcp/core';
import { describeApprovalStoreContract } from '../src/approval-store.contract.ts';
import type { ApprovalStoreHarness } from '../src/approval-store-harness.ts';
import { allStoreFeatures } from '../src/store-features.ts';
import { approvalIdMutants } from './approval-id-mutants.ts';
import type { ApprovalStoreMutant } from './approval-store-mutant.ts';
import { approvalStoreMutants } from './approval-store-mutants.ts';
import { approvalTruthMutants } from './approval-truth-mutants.ts';
import { BreakableApprovalStore, rightPoints } from './breakable-approval-store.ts';
import { proveMutants } from './prove-mutants.ts';

function harnessOf(mutant: ApprovalStoreMutant | null): ApprovalStoreHarness {
  const openWhole = (): BreakableApprovalStore => new BreakableApprovalStore({ ...rightPoints, ...mutant?.points });
  const right = openWhole();
  const changed = mutant?.change?.(right) ?? {};
  const store: ApprovalStore = {
    list: changed.list ?? ((signal) => right.list(signal)),
    add: changed.add ?? ((approval, signal) => right.add(approval, signal)),
    revoke: changed.revoke ?? ((id, signal) => right.revoke(id, signal)),
  };
  return {
    store,
    reopen: () => (mutant?.forgets ? openWhole() : store),
    breakWriting: async () => {
      const mend = right.breakWriting();
      return async () => mend();
    },
    damage: async (approval) => right.damage(approval),
    edit: async (approval, prefix) => right.edit(approval, prefix),
    dispose: async () => undefined,
  };
}

proveMutants([...approvalIdMutants, ...approvalStoreMutants, ...approvalTruthMutants], (about, mutant) => {
  describeApprovalStoreContract({
    ...about,
    features: allStoreFeatures,
    create: async () => harnessOf(mutant),
  });
});

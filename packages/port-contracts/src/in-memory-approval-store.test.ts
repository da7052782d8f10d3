import { InMemoryApprovalStore } from '@gemini-mcp/core/testing';
import { describeApprovalStoreContract } from './approval-store.contract.ts';

describeApprovalStoreContract({
  name: 'InMemoryApprovalStore',
  // Nothing can fail in memory, and nothing else writes there.
  features: { failures: false, damage: false, laterFormats: false },
  create: async () => {
    const store = new InMemoryApprovalStore();
    return { store, reopen: () => store, dispose: async () => undefined };
  },
});

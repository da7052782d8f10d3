import { InMemorySessionStore } from '@gemini-mcp/core/testing';
import { describeSessionStoreContract } from './session-store.contract.ts';
import type { SessionStoreHarness } from './session-store-harness.ts';

function harnessOf(store: InMemorySessionStore): SessionStoreHarness {
  return {
    store,
    reopen: () => store,
    breakSaving: null,
    breakDeleting: null,
    damages: null,
    dispose: async () => undefined,
  };
}

describeSessionStoreContract({
  name: 'InMemorySessionStore',
  create: async () => harnessOf(new InMemorySessionStore()),
  createBounded: async (bounds) => harnessOf(new InMemorySessionStore(null, bounds)),
  createForgetful: async (retention) => harnessOf(new InMemorySessionStore(retention)),
});

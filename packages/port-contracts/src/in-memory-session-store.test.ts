import { InMemorySessionStore } from '@gemini-mcp/core/testing';
import { describeSessionStoreContract, type SessionStoreHarness } from './session-store.contract.ts';

function harnessOf(store: InMemorySessionStore): SessionStoreHarness {
  return { store, reopen: () => store, dispose: async () => undefined };
}

describeSessionStoreContract({
  name: 'InMemorySessionStore',
  create: async () => harnessOf(new InMemorySessionStore()),
  createForgetful: async (retention) => harnessOf(new InMemorySessionStore(retention)),
});

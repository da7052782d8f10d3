import { InMemorySessionStore } from '@gemini-mcp/core/testing';
import { describeSessionStoreContract } from './session-store.contract.ts';

describeSessionStoreContract({
  name: 'InMemorySessionStore',
  create: async () => {
    const store = new InMemorySessionStore();
    return { store, reopen: () => store, dispose: async () => undefined };
  },
});

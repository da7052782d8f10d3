import { InMemorySessionStore } from '@gemini-mcp/core';
import { describeSessionStoreContract } from './session-store.contract.ts';

describeSessionStoreContract({
  name: 'InMemorySessionStore',
  // Nothing can fail in memory, and nothing else writes there.
  features: { retention: true, failures: false, damage: false, laterFormats: false },
  create: async ({ clock, retentionMs, bounds }) => {
    const store = new InMemorySessionStore(retentionMs === null ? null : { clock, retentionMs }, bounds);
    return { store, reopen: () => store, dispose: async () => undefined };
  },
});

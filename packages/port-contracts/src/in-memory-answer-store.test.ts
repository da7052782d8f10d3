import { randomUUID } from 'node:crypto';
import { InMemoryAnswerStore } from '@gemini-mcp/core';
import { describeAnswerStoreContract } from './answer-store.contract.ts';

describeAnswerStoreContract({
  name: 'InMemoryAnswerStore',
  // Nothing can fail in memory, and nothing else writes there.
  features: { failures: false, damage: false, laterFormats: false },
  create: async (bounds) => {
    const store = new InMemoryAnswerStore({ ...bounds, createHandle: () => randomUUID().replaceAll('-', '') });
    return { store, reopen: () => store, dispose: async () => undefined };
  },
});

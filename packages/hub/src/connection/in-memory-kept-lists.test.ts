import { describeKeptListsContract } from '@gemini-mcp/port-contracts/internal';
import { InMemoryKeptLists } from './in-memory-kept-lists.ts';

describeKeptListsContract({
  name: 'InMemoryKeptLists',
  // Nothing can fail in memory, and nothing else writes there.
  features: { failures: false, damage: false, laterFormats: false },
  create: async () => {
    const store = new InMemoryKeptLists();
    return { store, reopen: () => store, dispose: async () => undefined };
  },
});

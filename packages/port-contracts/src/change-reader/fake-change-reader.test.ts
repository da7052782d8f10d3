import { FakeChangeReader } from '@gemini-mcp/core/testing';
import { describeChangeReaderContract } from './change-reader.contract.ts';

describeChangeReaderContract({
  name: 'FakeChangeReader',
  create: async (before, after) => {
    const reader = new FakeChangeReader({ before, after });
    return {
      reader,
      directory: '/project',
      outside: '/other',
      countLeft: async () => reader.open,
      close: async () => undefined,
    };
  },
});

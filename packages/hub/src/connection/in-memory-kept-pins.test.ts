import { describeKeptPinsContract } from '@gemini-mcp/port-contracts/internal';
import { InMemoryKeptPins } from './in-memory-kept-pins.ts';

describeKeptPinsContract({
  name: 'InMemoryKeptPins',
  // Nothing can fail in memory, and nothing else writes there.
  features: { failures: false, damage: false, laterFormats: false },
  create: async () => {
    const store = new InMemoryKeptPins();
    return { store, reopen: () => store, dispose: async () => undefined };
  },
});

import { FakeClock, InMemoryContextResolver } from '@gemini-mcp/core/testing';
import { describeContextResolverContract } from './context-resolver.contract.ts';

describeContextResolverContract({
  name: 'InMemoryContextResolver',
  create: async (tree) => ({
    resolver: new InMemoryContextResolver({ tree, clock: new FakeClock() }),
    dispose: async () => undefined,
  }),
});

import { InMemoryContextResolver } from '@gemini-mcp/core/testing';
import { describeContextResolverContract } from './context-resolver/context-resolver.contract.ts';

describeContextResolverContract({
  name: 'InMemoryContextResolver',
  features: { links: true, caseSensitive: true, ignoreFiles: true },
  create: async ({ tree, links, clock }) => ({
    resolver: new InMemoryContextResolver({ tree, links, clock }),
    workingDirectory: '/project',
    dispose: async () => undefined,
  }),
});

import { describeToolEndpointContract } from '@gemini-mcp/port-contracts';
import { LendingEndpoint } from './lending-endpoint.ts';

describeToolEndpointContract({
  name: 'LendingEndpoint',
  create: ({ clock }) => new LendingEndpoint({ clock, log: () => undefined }),
});

import { describeLoopbackToolServerContract } from '@gemini-mcp/port-contracts';
import { LoopbackMcpServer } from './loopback-mcp-server.ts';

describeLoopbackToolServerContract({
  name: 'LoopbackMcpServer',
  create: ({ clock }) => new LoopbackMcpServer({ clock, log: () => undefined }),
});

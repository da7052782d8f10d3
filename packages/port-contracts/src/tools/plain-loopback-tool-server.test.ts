import { describeLoopbackToolServerContract } from './loopback-tool-server.contract.ts';
import { PlainLoopbackToolServer } from './plain-loopback-tool-server.ts';

describeLoopbackToolServerContract({
  name: 'PlainLoopbackToolServer',
  create: (options) => new PlainLoopbackToolServer(options),
});

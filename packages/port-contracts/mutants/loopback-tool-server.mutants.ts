import { describeLoopbackToolServerContract } from '../src/tools/loopback-tool-server.contract.ts';
import { endpointRunMutants } from './loopback-tool-server/endpoint-run-mutants.ts';
import { endpointStrangerMutants } from './loopback-tool-server/endpoint-stranger-mutants.ts';
import { endpointToolMutants } from './loopback-tool-server/endpoint-tool-mutants.ts';
import { FrontedEndpoint } from './loopback-tool-server/fronted-endpoint.ts';
import { proveMutants } from './prove-mutants.ts';

proveMutants(
  [...endpointToolMutants, ...endpointStrangerMutants, ...endpointRunMutants],
  (about, mutant) => {
    describeLoopbackToolServerContract({ ...about, create: (options) => new FrontedEndpoint(options, mutant) });
  },
  { hangMs: 1_500 },
);

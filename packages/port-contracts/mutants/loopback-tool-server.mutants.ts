import { describeLoopbackToolServerContract } from '../src/tools/loopback-tool-server.contract.ts';
import { endpointRunMutants } from './endpoint-run-mutants.ts';
import { endpointStrangerMutants } from './endpoint-stranger-mutants.ts';
import { endpointToolMutants } from './endpoint-tool-mutants.ts';
import { FrontedEndpoint } from './fronted-endpoint.ts';
import { proveMutants } from './prove-mutants.ts';

proveMutants(
  [...endpointToolMutants, ...endpointStrangerMutants, ...endpointRunMutants],
  (about, mutant) => {
    describeLoopbackToolServerContract({ ...about, create: (options) => new FrontedEndpoint(options, mutant) });
  },
  { hangMs: 1_500 },
);

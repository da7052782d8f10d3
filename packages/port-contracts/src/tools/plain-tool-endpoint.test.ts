import { PlainToolEndpoint } from './plain-tool-endpoint.ts';
import { describeToolEndpointContract } from './tool-endpoint.contract.ts';

describeToolEndpointContract({
  name: 'PlainToolEndpoint',
  create: (options) => new PlainToolEndpoint(options),
});

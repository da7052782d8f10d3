import type { LegacySseEndpoint, LegacySseEndpointOptions } from './legacy-sse-endpoint.ts';
import { OpenStreams } from './open-streams.ts';

/** Makes the endpoint. `close()` it before the program ends. */
export function createLegacySseEndpoint(options: LegacySseEndpointOptions): LegacySseEndpoint {
  return new OpenStreams(options);
}

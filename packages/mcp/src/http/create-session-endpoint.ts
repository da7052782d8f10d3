import { BoundSessions } from './bound-sessions.ts';
import type { SessionEndpoint, SessionEndpointOptions } from './session-endpoint.ts';

/** Makes the endpoint. `close()` it before the program ends. */
export function createSessionEndpoint(options: SessionEndpointOptions): SessionEndpoint {
  return new BoundSessions(options);
}

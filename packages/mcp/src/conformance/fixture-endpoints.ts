import { createLegacySseEndpoint, type LegacySseEndpoint } from '../http/legacy-sse-endpoint.ts';
import type { McpHttpOptions, SessionLimits } from '../http/mcp-http-options.ts';
import { createSessionEndpoint, type SessionEndpoint } from '../http/session-endpoint.ts';
import { createStatelessEndpoint, type StatelessEndpoint } from '../http/stateless-endpoint.ts';
import { extendWithFixtures } from './extend-with-fixtures.ts';

/** The endpoints as they are, with servers behind them that have what the conformance suite asks for. */
export type FixtureEndpoints = {
  readonly stateless: StatelessEndpoint;
  readonly sessions: SessionEndpoint;
  readonly legacySse: LegacySseEndpoint;
};

/** Makes them. Their callers have to bring the `fixtureSurface`. */
export function createFixtureEndpoints(options: McpHttpOptions & SessionLimits): FixtureEndpoints {
  return {
    stateless: createStatelessEndpoint(options, extendWithFixtures),
    sessions: createSessionEndpoint(options, extendWithFixtures),
    legacySse: createLegacySseEndpoint(options, extendWithFixtures),
  };
}

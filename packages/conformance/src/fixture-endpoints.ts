import type { McpHttpOptions, SessionEndpoint, SessionLimits, StatelessEndpoint } from '@gemini-mcp/mcp/http';
import { BoundSessions, ServerPerRequest } from '@gemini-mcp/mcp/internal';
import { extendWithFixtures } from './extend-with-fixtures.ts';

/** The production endpoints, over servers with the fixtures that the conformance suite requires. */
export type FixtureEndpoints = {
  readonly stateless: StatelessEndpoint;
  readonly sessions: SessionEndpoint;
};

/** Creates them. Callers must bring the `fixtureSurface`. */
export function createFixtureEndpoints(options: McpHttpOptions & SessionLimits): FixtureEndpoints {
  return {
    stateless: new ServerPerRequest(options, extendWithFixtures),
    sessions: new BoundSessions(options, extendWithFixtures),
  };
}

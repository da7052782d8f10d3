import {
  createLegacySseEndpoint,
  createSessionEndpoint,
  createStatelessEndpoint,
  type LegacySseEndpoint,
  type McpHttpOptions,
  type SessionEndpoint,
  type StatelessEndpoint,
} from '@gemini-mcp/mcp/http';
import type { Hono } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import type { HttpConfiguration } from '../settings/http-configuration.ts';
import { legacyMessageRoutes, legacyStreamRoutes } from './legacy-sse-routes.ts';
import { type McpRouteParts, mcpRoutes } from './mcp-routes.ts';

export type McpEndpointsOptions = McpRouteParts & {
  readonly protocol: McpHttpOptions;
  readonly http: Pick<HttpConfiguration, 'isStateful' | 'legacySse' | 'maxSessions' | 'sessionIdleMs'>;
};

/** Where MCP is spoken. */
export type McpEndpoints = {
  /** By the path below which they lie. */
  readonly routes: Readonly<Record<string, Hono<HttpEnv>>>;
  /** Sessions that there are now. */
  readonly sessionCount: () => number;
  /** Resolves when every call that was running has come to its end, cancelled ones included. Never rejects. */
  readonly callsEnded: () => Promise<void>;
  /** Cancels what runs, ends all streams and sessions, and refuses what comes. */
  readonly close: () => Promise<void>;
};

/** `/mcp`, with sessions or without them, and what older clients speak where that is wanted. */
export function createMcpEndpoints({ protocol, http, ...parts }: McpEndpointsOptions): McpEndpoints {
  const sessions = { ...protocol, maxSessions: http.maxSessions, idleMs: http.sessionIdleMs };
  const main = http.isStateful ? createSessionEndpoint(sessions) : createStatelessEndpoint(protocol);
  const legacy = http.legacySse ? createLegacySseEndpoint(sessions) : null;
  const endpoints: readonly (StatelessEndpoint | SessionEndpoint | LegacySseEndpoint)[] =
    legacy === null ? [main] : [main, legacy];
  return {
    routes: { '/mcp': mcpRoutes(main, parts), ...(legacy !== null && legacyRoutes(legacy, parts)) },
    sessionCount: () => endpoints.reduce((sum, each) => sum + ('load' in each ? each.load.sessions : 0), 0),
    callsEnded: async () => {
      await Promise.all(endpoints.map((each) => each.callsEnded()));
    },
    close: async () => {
      await Promise.all(endpoints.map((each) => each.close()));
    },
  };
}

function legacyRoutes(endpoint: LegacySseEndpoint, parts: McpRouteParts): McpEndpoints['routes'] {
  return { '/sse': legacyStreamRoutes(endpoint, parts), '/messages': legacyMessageRoutes(endpoint, parts) };
}

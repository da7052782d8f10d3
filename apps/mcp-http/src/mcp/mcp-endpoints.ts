import { createSessionEndpoint, createStatelessEndpoint, type McpHttpOptions } from '@gemini-mcp/mcp/http';
import type { Hono } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import type { HttpConfiguration } from '../settings/http-configuration.ts';
import { type McpRouteParts, mcpRoutes } from './mcp-routes.ts';

export type McpEndpointsOptions = McpRouteParts & {
  readonly protocol: McpHttpOptions;
  readonly http: Pick<HttpConfiguration, 'isStateful' | 'maxSessions' | 'sessionIdleMs'>;
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

/** `/mcp`, with sessions or without them. */
export function createMcpEndpoints({ protocol, http, ...parts }: McpEndpointsOptions): McpEndpoints {
  const limits = { maxSessions: http.maxSessions, idleMs: http.sessionIdleMs };
  const sessions = http.isStateful ? createSessionEndpoint({ ...protocol, ...limits }) : null;
  const endpoint = sessions ?? createStatelessEndpoint(protocol);
  return {
    routes: { '/mcp': mcpRoutes(endpoint, parts) },
    sessionCount: () => sessions?.load.sessions ?? 0,
    callsEnded: () => endpoint.callsEnded(),
    close: () => endpoint.close(),
  };
}

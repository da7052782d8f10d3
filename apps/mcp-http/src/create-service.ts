import type { ApiGeminiRunner } from '@gemini-mcp/adapters-api';
import type { WarmGeminiRunner } from '@gemini-mcp/adapters-node';
import type { Clock, JobBoard } from '@gemini-mcp/core';
import type { ToolOutcome } from '@gemini-mcp/mcp';
import { type ComposedServer, createProtocolLog } from '@gemini-mcp/server';
import { Hono, type MiddlewareHandler } from 'hono';
import { hostsOf } from './access/host/hosts-of.ts';
import { requireScopes } from './access/require-scopes.ts';
import { requiredScopes } from './access/required-scopes.ts';
import { composeHttpServer } from './composition-root.ts';
import { createHttpApp } from './create-http-app.ts';
import type { HttpEnv } from './http-env.ts';
import type { McpEndpoints } from './mcp/mcp-endpoints.ts';
import type { Drain } from './operation/drain.ts';
import type { Metrics } from './operation/metrics/create-metrics.ts';
import { Readiness } from './operation/readiness.ts';
import { readinessChecks } from './operation/readiness-checks.ts';
import { RunningCalls } from './operation/running-calls.ts';
import { createRestRoutes, type RestRoutesOptions } from './rest/create-rest-routes.ts';
import { serveOpenApi } from './rest/serve-open-api.ts';
import { serverVersion as version } from './server-version.ts';
import type { ServiceOptions } from './service-options.ts';
import * as tokens from './tokens.ts';

/** All that answers requests, and the ways to end it. */
export type Service = {
  readonly app: Hono<HttpEnv>;
  readonly clock: Clock;
  readonly drain: Drain;
  /** To be watched while the server listens. */
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly apiRunner: ApiGeminiRunner | null;
  readonly warm: WarmGeminiRunner | null;
  readonly lending: ComposedServer['lending'];
  readonly jobs: JobBoard<ToolOutcome>;
  readonly callsEnded: () => Promise<unknown>;
  readonly abortCalls: () => void;
  readonly endStreams: () => unknown;
};

/** Puts together what answers requests. Nothing listens yet, and nothing runs. */
export function createService(options: ServiceOptions): Service {
  const { configuration, http, access, log } = options;
  const container = composeHttpServer(options);
  const { clock, finder, api: apiRunner, warm, lending, jobs } = container.resolve(tokens.SERVER);
  const surfaces = container.resolve(tokens.SURFACES);
  const drain = container.resolve(tokens.DRAIN);
  const oauth = container.resolve(tokens.OAUTH);
  const challenge = container.resolve(tokens.CHALLENGE);
  const metrics = container.resolve(tokens.METRICS);
  const mcp = container.resolve(tokens.MCP);
  const calls = new RunningCalls();
  const checks = readinessChecks({ ...configuration, finder: needsCli(options) ? finder : null });
  const readiness = new Readiness({ checks, drain, clock });
  const rest: RestRoutesOptions = {
    clock,
    log: createProtocolLog(log),
    calls,
    surfaceOf: (principal) => surfaces.of(principal),
    requireScopes: (context, tool, args) => requireScopes(context, requiredScopes(tool, args), challenge),
  };
  const openApi = serveOpenApi({ ...rest, version, serverUrl: '', oauthIssuer: oauth?.resource.issuer ?? null });
  const app = createHttpApp({
    ...http,
    ...access,
    allowedHosts: hostsOf(http),
    oauth,
    drain,
    readiness,
    metrics,
    clock,
    log,
    openApi,
    routes: { ...mcp.routes, '/api': restRoutes(rest, container.resolve(tokens.READ_BODY)) },
  });
  return { app, clock, drain, readiness, metrics, apiRunner, warm, lending, jobs, ...endingsOf(mcp, calls) };
}

/** Whether a call that brings neither a key nor needs of its own is carried by the CLI. */
function needsCli({ configuration, api }: ServiceOptions): boolean {
  return configuration.runner !== 'api' && api?.login == null;
}

function restRoutes(options: RestRoutesOptions, read: MiddlewareHandler<HttpEnv>): Hono<HttpEnv> {
  return new Hono<HttpEnv>().post('*', read).route('/', createRestRoutes(options));
}

function endingsOf(mcp: McpEndpoints, calls: RunningCalls): Pick<Service, 'callsEnded' | 'abortCalls' | 'endStreams'> {
  return {
    callsEnded: () => Promise.all([mcp.callsEnded(), calls.ended()]),
    abortCalls: () => {
      calls.abort();
      void mcp.close();
    },
    endStreams: () => mcp.close(),
  };
}

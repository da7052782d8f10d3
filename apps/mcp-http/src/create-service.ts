import type { Clock } from '@gemini-mcp/core';
import { type BegunLogins, InMemoryBegunLogins } from '@gemini-mcp/core/internal';
import {
  type ApiAccess,
  type ComposedServer,
  type Configuration,
  createProtocolLog,
  type Log,
  loopHeader,
  type ResolvePart,
  type ServerParts,
} from '@gemini-mcp/server';
import { Hono, type MiddlewareHandler } from 'hono';
import { hostsOf } from './access/host/guard-host.ts';
import type { Access } from './access/open-access.ts';
import { type Challenge, requiredScopes, requireScopes } from './access/required-scopes.ts';
import { composeHttpServer } from './composition-root.ts';
import { createHttpApp } from './create-http-app.ts';
import type { HttpEnv } from './http-env.ts';
import type { McpEndpoints } from './mcp-endpoints.ts';
import type { Metrics } from './operation/create-metrics.ts';
import { CallCounts, Readiness, type ReadinessOptions, readinessChecks } from './operation/readiness.ts';
import type { Drain } from './operation/shut-down.ts';
import { type HttpRefusal, refuse } from './refusal.ts';
import { createLoginRoutes, type LoginRoutesOptions, loginPaths } from './rest/create-login-routes.ts';
import { createRestRoutes } from './rest/create-rest-routes.ts';
import { createServerRoutes, type ServerRoutesOptions, serverPaths } from './rest/create-server-routes.ts';
import { createToolRoutes, LazyProjectTools, projectToolPaths } from './rest/create-tool-routes.ts';
import { serveOpenApi } from './rest/open-api-document.ts';
import { serverVersion as version } from './server-version.ts';
import type { HttpConfiguration } from './settings/read-http-configuration.ts';
import { reachOf, type Surfaces } from './surfaces.ts';
import * as tokens from './tokens.ts';

/** Answers all requests, and offers ways to end it. */
export type Service = {
  readonly app: Hono<HttpEnv>;
  /** The parts of the server: some run besides calls. */
  readonly part: ResolvePart;
  readonly drain: Drain;
  /** To be watched while the server listens. */
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly projectTools: LazyProjectTools;
  readonly callsEnded: () => Promise<unknown>;
  readonly abortCalls: () => void;
  readonly endStreams: () => unknown;
};

/** Assembles the handlers. Nothing listens or runs yet. */
export function createService(options: ServiceOptions): Service {
  const { http, access, log } = options;
  const container = composeHttpServer(options);
  const server = container.resolve(tokens.SERVER);
  const part: ResolvePart = (name) => container.resolve(tokens.PARTS[name]);
  const [clock, { logins, mark, settings }] = [part('clock'), part('upstreams')];
  const surfaces = container.resolve(tokens.SURFACES);
  const drain = container.resolve(tokens.DRAIN);
  const oauth = container.resolve(tokens.OAUTH);
  const challenge = container.resolve(tokens.CHALLENGE);
  const metrics = container.resolve(tokens.METRICS);
  const mcp = container.resolve(tokens.MCP);
  const read = container.resolve(tokens.READ_BODY);
  const calls = new CallCounts();
  const projectTools = new LazyProjectTools(server.openProjectTools);
  const readiness = new Readiness({ checks: checksOf(options, part), drain, clock });
  const begun = new InMemoryBegunLogins(logins);
  const rest = restOptionsOf({ options, server, clock, surfaces, challenge, calls });
  const openApi = serveOpenApi({
    ...rest,
    version,
    serverUrl: '',
    oauthIssuer: oauth?.resource.issuer ?? null,
    furtherPaths: { ...serverPaths, ...loginPaths, ...(http.projectTools && projectToolPaths) },
  });
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
    ...{ rejectSelfRequests: rejectSelfRequests(mark), rejectLoops: rejectLoops(settings) },
    routes: routesOf({
      ...{ mcp, rest, challenge, read },
      logins: { ...rest, logins, begun },
      projectTools: http.projectTools ? projectTools : null,
    }),
  });
  return { app, part, drain, readiness, metrics, projectTools, ...endingsOf({ mcp, calls, begun }) };
}

function checksOf({ configuration, api }: ServiceOptions, part: ResolvePart): ReadinessOptions['checks'] {
  return readinessChecks({
    ...configuration,
    hasApiLogin: api?.login != null,
    finder: configuration.runner === 'api' ? null : part('finder'),
    sharedRecords: configuration.store === null ? null : part('records'),
  });
}

type RestParts = {
  readonly options: ServiceOptions;
  readonly server: ComposedServer;
  readonly clock: Clock;
  readonly surfaces: Surfaces;
  readonly challenge: Challenge;
  readonly calls: CallCounts;
};

function restOptionsOf({ options, server, clock, surfaces, challenge, calls }: RestParts): ServerRoutesOptions {
  return {
    clock,
    log: createProtocolLog(options.log),
    calls,
    surfaceOf: (principal) => surfaces.of(principal),
    requireScopes: (context, tool, args) => requireScopes(context, requiredScopes(tool, args), challenge),
    refuseWithout: (context, needed) => requireScopes(context, needed, challenge),
    serversOf: ({ owner }) => server.offeredTo(owner),
  };
}

type Served = {
  readonly mcp: McpEndpoints;
  readonly rest: ServerRoutesOptions;
  readonly logins: LoginRoutesOptions;
  /** Null if not served. */
  readonly projectTools: LazyProjectTools | null;
  readonly challenge: Challenge;
  readonly read: MiddlewareHandler<HttpEnv>;
};

function routesOf({
  mcp,
  rest,
  logins,
  projectTools,
  challenge,
  read,
}: Served): Readonly<Record<string, Hono<HttpEnv>>> {
  const api = new Hono<HttpEnv>()
    .post('*', read)
    .route('/servers', createServerRoutes(rest))
    .route('/servers', createLoginRoutes(logins))
    .route('/', createRestRoutes(rest));
  const tools =
    projectTools === null
      ? {}
      : createToolRoutes({
          ...rest,
          host: projectTools,
          reachOf,
          requireScopes: (context, needed) => requireScopes(context, needed, challenge),
          readBody: read,
        });
  return { ...mcp.routes, '/api': api, ...tools };
}

type Ending = { readonly mcp: McpEndpoints; readonly calls: CallCounts; readonly begun: BegunLogins };

function endingsOf({ mcp, calls, begun }: Ending): Pick<Service, 'callsEnded' | 'abortCalls' | 'endStreams'> {
  return {
    callsEnded: () => Promise.all([mcp.callsEnded(), calls.ended()]),
    abortCalls: () => {
      calls.abort();
      void mcp.close();
    },
    endStreams: () => Promise.all([mcp.close(), begun.close()]),
  };
}

/** The parts of a server. */
export type ServiceOptions = {
  readonly configuration: Configuration;
  readonly http: HttpConfiguration;
  /** Of this process, for the CLI. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How the server reaches the Gemini API without the CLI; null if not configured. */
  readonly api: ApiAccess | null;
  readonly access: Access;
  readonly log: Log;
};

const itself: HttpRefusal = {
  status: 508,
  code: 'own-upstream',
  message: 'This server is calling itself. Remove its own address from mcpServers.',
};

const anotherServer: HttpRefusal = {
  status: 508,
  code: 'upstream-loop',
  message:
    'This server has upstream servers itself, and does not offer them to another server with upstreams, because the two could call each other forever.' +
    'Name those servers in your own mcpServers.',
};

/**
 * Refuses requests of this process to itself, whatever token they bring: otherwise an entry without a token would lead to a
 * login. Only a server that received a request of this process knows its id, so no one else learns anything.
 */
export function rejectSelfRequests(mark: ServerParts['upstreams']['mark']): MiddlewareHandler<HttpEnv> {
  return async (context, next) => (context.req.header(loopHeader) === mark.id ? refuse(context, itself) : await next());
}

/**
 * Refuses requests of servers with upstreams if this one offers upstreams too: two that have each other would call each
 * other forever. Without upstreams it serves them like any client. Runs after authentication: strangers do not learn that
 * there are upstreams.
 */
export function rejectLoops(
  settings: Pick<ServerParts['upstreams']['settings'], 'isThere'>,
): MiddlewareHandler<HttpEnv> {
  return async (context, next) => {
    const hasUpstreams = context.req.header(loopHeader) !== undefined;
    return hasUpstreams && (await settings.isThere()) ? refuse(context, anotherServer) : await next();
  };
}

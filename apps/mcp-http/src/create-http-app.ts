import type { Clock } from '@gemini-mcp/core';
import type { Log } from '@gemini-mcp/server';
import { type Handler, Hono, type MiddlewareHandler } from 'hono';
import { authenticate } from './access/authenticate.ts';
import type { FailureThrottle } from './access/failure-throttle.ts';
import { guardHost } from './access/host/guard-host.ts';
import { guardOrigin } from './access/host/guard-origin.ts';
import type { OAuthVerifier } from './access/oauth/oauth-verifier.ts';
import { protectedResourceMetadata, resourceMetadataPath } from './access/oauth/protected-resource.ts';
import type { StaticTokens } from './access/tokens/read-principals.ts';
import type { HttpEnv } from './http-env.ts';
import { limitConcurrency } from './limits/limit-concurrency.ts';
import { limitRate } from './limits/limit-rate.ts';
import type { Metrics } from './operation/create-metrics.ts';
import { identifyRequests, logRequests } from './operation/log-requests.ts';
import { answerHealth, type Readiness } from './operation/readiness.ts';
import type { Drain } from './operation/shut-down.ts';
import { type HttpRefusal, internalError, refuse, wrongMethod } from './refusal.ts';

export type HttpAppOptions = {
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly staticTokens: StaticTokens;
  readonly oauth: OAuthVerifier | null;
  readonly throttle: FailureThrottle;
  readonly requestsPerMinute: number;
  readonly maxRequests: number;
  readonly drain: Drain;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly log: Log;
  /** Refuses requests of this server to itself. */
  readonly rejectSelfRequests: MiddlewareHandler<HttpEnv>;
  /** Refuses requests of other gemini-mcp-servers that would loop. */
  readonly rejectLoops: MiddlewareHandler<HttpEnv>;
  /** Described for authenticated callers. */
  readonly openApi: Handler<HttpEnv>;
  /** The authenticated routes, by their path prefix. */
  readonly routes: Readonly<Record<string, Hono<HttpEnv>>>;
};

/**
 * Creates the app. It checks requests in this order: id, host, origin, token, rate and concurrency. No body is read before these
 * checks.
 */
export function createHttpApp(options: HttpAppOptions): Hono<HttpEnv> {
  const { drain, readiness, metrics, log, openApi, routes } = options;
  const app = new Hono<HttpEnv>();
  app.onError((error, context) => {
    log.error('request-failed', { error });
    return refuse(context, internalError);
  });
  app.notFound((context) => refuse(context, notFound));
  app.use(...watchers(options), guardHost(options), guardOrigin(options));
  serveGet(app, '/healthz', answerHealth);
  serveGet(app, '/readyz', readiness.answer);
  const metadata = protectedResourceMetadata(options.oauth?.resource ?? null);
  serveGet(app, resourceMetadataPath, metadata);
  serveGet(app, `${resourceMetadataPath}/*`, metadata);
  const { rejectSelfRequests, rejectLoops } = options;
  app.use(
    drain.refuseNew,
    rejectSelfRequests,
    authenticate(options),
    limitRate(options),
    limitConcurrency(options),
    rejectLoops,
  );
  serveGet(app, '/metrics', metrics.answer);
  serveGet(app, '/openapi.json', openApi);
  for (const [path, route] of Object.entries(routes)) {
    app.route(path, route);
  }
  return app;
}

function serveGet(app: Hono<HttpEnv>, path: string, answer: Handler<HttpEnv>): void {
  app.get(path, answer);
  app.all(path, (context) => refuse(context, onlyGet));
}

const onlyGet = wrongMethod('GET', 'This address is read-only: send GET.');

function watchers(options: HttpAppOptions): [MiddlewareHandler<HttpEnv>, ...MiddlewareHandler<HttpEnv>[]] {
  return [identifyRequests, logRequests(options), options.metrics.middleware];
}

const notFound: HttpRefusal = {
  status: 404,
  code: 'not-found',
  message: 'Nothing is served at this address. MCP is at /mcp, the tools at /api, their description at /openapi.json.',
};

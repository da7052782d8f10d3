import { SystemClock } from '@gemini-mcp/adapters-node';
import { createFixtureEndpoints, fixtureSurface } from '@gemini-mcp/conformance';
import { createLog } from '@gemini-mcp/server';
import { FailureThrottle } from '../access/failure-throttle.ts';
import { localPrincipal } from '../access/principal.ts';
import { createChallenge } from '../access/required-scopes.ts';
import { StaticTokens, tokenDigest } from '../access/tokens/read-principals.ts';
import { createHttpApp, type HttpAppOptions } from '../create-http-app.ts';
import { readBoundedBody } from '../limits/read-body.ts';
import { mcpRoutes } from '../mcp-endpoints.ts';
import { createHttpServer, defaultHttpLimits } from '../operation/create-http-server.ts';
import { createMetrics } from '../operation/create-metrics.ts';
import { listen } from '../operation/listen.ts';
import { Readiness } from '../operation/readiness.ts';
import { Drain } from '../operation/shut-down.ts';
import { Surfaces } from '../surfaces.ts';
import { token } from './http-setup.ts';

export type FixtureServer = {
  readonly origin: string;
  close(): Promise<void>;
};

const clock = new SystemClock();
const log = createLog({ level: 'error', redact: (text) => text, stream: process.stderr });

/** Serves the fixtures of the conformance suite through all guards of the real server. */
export async function startFixtureServer({ isStateful }: { readonly isStateful: boolean }): Promise<FixtureServer> {
  const { sessions, stateless } = createFixtureEndpoints({
    version: '0.0.0',
    clock,
    log: () => undefined,
    maxSessions: 100,
    idleMs: 60_000,
  });
  const routes = mcpRoutes(isStateful ? sessions : stateless, {
    surfaces: new Surfaces({ surfaceOf: () => fixtureSurface, offeredTo: null }),
    challenge: createChallenge(null),
    readBody: readBoundedBody({ maxBytes: 4_194_304, clock }),
  });
  const app = createHttpApp({ ...surroundings(), routes: { '/mcp': routes } });
  const server = createHttpServer({ fetch: app.fetch, limits: defaultHttpLimits, log });
  const { host, port } = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    origin: `http://${host}:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.all([sessions.close(), stateless.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
}

function surroundings(): Omit<HttpAppOptions, 'routes'> {
  const drain = new Drain();
  return {
    allowedHosts: [],
    allowedOrigins: [],
    staticTokens: new StaticTokens([{ sha256: tokenDigest(token), principal: localPrincipal }]),
    oauth: null,
    // The fixtures have no REST API.
    openApi: (context) => context.notFound(),
    throttle: new FailureThrottle(),
    requestsPerMinute: 0,
    maxRequests: 64,
    drain,
    rejectSelfRequests: (_, next) => next(),
    rejectLoops: (_, next) => next(),
    readiness: new Readiness({ checks: {}, drain, clock }),
    metrics: createMetrics({
      clock,
      modelChain: [],
      queueLoad: () => ({ running: 0, queued: 0 }),
      sessions: () => 0,
    }),
    clock,
    log,
  };
}

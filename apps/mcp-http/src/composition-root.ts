import 'reflect-metadata';
import {
  composeServer,
  createObservers,
  createProtocolLog,
  type Observers,
  operatorFailureWords,
} from '@gemini-mcp/server';
import { every } from 'hono/combine';
import { type DependencyContainer, instanceCachingFactory as once, container as root } from 'tsyringe';
import { createChallenge } from './access/challenge.ts';
import { openOAuth } from './access/open-access.ts';
import { readBody } from './limits/read-body.ts';
import { createMcpEndpoints } from './mcp/mcp-endpoints.ts';
import { Drain } from './operation/drain.ts';
import { createMetrics, type Metrics } from './operation/metrics/create-metrics.ts';
import { reachOf, Surfaces } from './reach/surfaces.ts';
import { serverVersion as version } from './server-version.ts';
import type { ServiceOptions } from './service-options.ts';
import * as tokens from './tokens.ts';

/** What a server of many clients has besides the server itself. Nothing is made until it is asked for. */
export function composeHttpServer(options: ServiceOptions): DependencyContainer {
  const container = root.createChildContainer();
  registerServer(container, options);
  registerAccess(container, options);
  registerMcp(container, options);
  return container;
}

function registerServer(container: DependencyContainer, options: ServiceOptions): void {
  const { configuration, http, environment, api, access, log } = options;
  const rootsByOwner = new Map(access.principals.map((principal) => [principal.owner, reachOf(principal).roots]));
  // Looked up when there is something to count: the metrics need the server themselves.
  const metrics = (): Metrics => container.resolve(tokens.METRICS);
  container.register(tokens.SERVER, {
    useFactory: once(() =>
      composeServer({
        configuration,
        environment,
        api,
        observers: withMetrics(createObservers(log), metrics),
        failureWords: operatorFailureWords,
        onAskEnd: (end) => metrics().onAskEnd(end),
        furtherRoots: access.principals.flatMap(({ roots }) => roots ?? []),
        rootsOfOwner: (owner) => rootsByOwner.get(owner) ?? null,
        hasSeveralOwners: access.hasSeveralOwners,
        privateFiles: [http.tokenFile, http.principalsFile].filter((path) => path !== null),
        agentModeByDefault: 'plan',
        version,
        isOfOneUser: false,
        program: 'gemini-mcp-server-http',
      }),
    ),
  });
  container.register(tokens.SURFACES, {
    useFactory: once((scope) => new Surfaces(scope.resolve(tokens.SERVER))),
  });
  container.register(tokens.METRICS, {
    useFactory: once((scope) => {
      const { clock, queue, modelChain } = scope.resolve(tokens.SERVER);
      const sessions = (): number => scope.resolve(tokens.MCP).sessionCount();
      return createMetrics({ clock, modelChain, queueLoad: () => queue.load, sessions });
    }),
  });
}

function withMetrics(observers: Observers, metrics: () => Metrics): Observers {
  return {
    ...observers,
    onRun: (report) => {
      observers.onRun(report);
      metrics().onRun(report);
    },
    onPool: (report) => {
      observers.onPool(report);
      metrics().onPool(report);
    },
  };
}

function registerAccess(container: DependencyContainer, { http, log }: ServiceOptions): void {
  container.register(tokens.OAUTH, { useFactory: once(() => openOAuth(http, log)) });
  container.register(tokens.CHALLENGE, {
    useFactory: once((scope) => createChallenge(scope.resolve(tokens.OAUTH)?.resource ?? null)),
  });
  container.register(tokens.DRAIN, { useFactory: once(() => new Drain()) });
  container.register(tokens.READ_BODY, {
    useFactory: once((scope) => {
      const { clock } = scope.resolve(tokens.SERVER);
      // A body may have been on its way when the end began: no client waits for what it asks for.
      return every(readBody({ maxBytes: http.maxBodyBytes, clock }), scope.resolve(tokens.DRAIN).refuseNew);
    }),
  });
}

function registerMcp(container: DependencyContainer, { http, log }: ServiceOptions): void {
  container.register(tokens.MCP, {
    useFactory: once((scope) =>
      createMcpEndpoints({
        protocol: { version, clock: scope.resolve(tokens.SERVER).clock, log: createProtocolLog(log) },
        http,
        surfaces: scope.resolve(tokens.SURFACES),
        challenge: scope.resolve(tokens.CHALLENGE),
        readBody: scope.resolve(tokens.READ_BODY),
      }),
    ),
  });
}

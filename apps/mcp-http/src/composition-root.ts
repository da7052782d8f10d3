import 'reflect-metadata';
import {
  composeServer,
  createProtocolLog,
  type Observers,
  operatorFailureWords,
  partFactories,
  partNames,
  type ResolvePart,
  type ServerOptions,
  type ServerParts,
} from '@gemini-mcp/server';
import { every } from 'hono/combine';
import { type DependencyContainer, instanceCachingFactory as once, container as root } from 'tsyringe';
import { openOAuth } from './access/open-access.ts';
import { createChallenge } from './access/required-scopes.ts';
import type { StaticTokens } from './access/tokens/read-principals.ts';
import type { ServiceOptions } from './create-service.ts';
import { readBoundedBody } from './limits/read-body.ts';
import { createMcpEndpoints } from './mcp-endpoints.ts';
import { createMetrics, type Metrics } from './operation/create-metrics.ts';
import { Drain } from './operation/shut-down.ts';
import { serverVersion as version } from './server-version.ts';
import { reachOf, Surfaces } from './surfaces.ts';
import * as tokens from './tokens.ts';

/** The parts of a server for many clients besides the server itself. Each is created on first use. */
export function composeHttpServer(options: ServiceOptions): DependencyContainer {
  const container = root.createChildContainer();
  registerServer(container, options);
  registerAccess(container, options);
  registerMcp(container, options);
  return container;
}

function registerServer(container: DependencyContainer, options: ServiceOptions): void {
  const serverOptions = serverOptionsOf(options);
  const part = registerParts(container, serverOptions);
  // Looked up when there is something to count, because the metrics themselves need parts of the server.
  const metrics = (): Metrics => container.resolve(tokens.METRICS);
  container.register(tokens.PARTS.observers, {
    useFactory: once(() => withMetrics(partFactories.observers(part, serverOptions), metrics)),
  });
  container.register(tokens.SERVER, { useFactory: once(() => composeServer(serverOptions, part)) });
  container.register(tokens.SURFACES, {
    useFactory: once((scope) => new Surfaces(scope.resolve(tokens.SERVER))),
  });
  container.register(tokens.METRICS, {
    useFactory: once((scope) => {
      const sessions = (): number => scope.resolve(tokens.MCP).sessionCount();
      const [clock, modelChain, queue] = [part('clock'), part('modelChain'), part('queue')];
      return createMetrics({ clock, modelChain, queueLoad: () => queue.load, sessions });
    }),
  });
}

/** Creates each part on first use. */
function registerParts(container: DependencyContainer, options: ServerOptions): ResolvePart {
  const part: ResolvePart = (name) => container.resolve(tokens.PARTS[name]);
  const register = <Name extends keyof ServerParts>(name: Name): void => {
    container.register(tokens.PARTS[name], { useFactory: once(() => partFactories[name](part, options)) });
  };
  partNames.forEach(register);
  return part;
}

function serverOptionsOf({ configuration, http, environment, api, access, log }: ServiceOptions): ServerOptions {
  return {
    ...{ configuration, environment, api, log },
    failureWords: operatorFailureWords,
    furtherRoots: access.principals.flatMap(({ roots }) => roots ?? []),
    rootsOfOwner: (owner) => rootsOfOwner(owner, access.staticTokens),
    hasSeveralOwners: access.hasSeveralOwners,
    privateFiles: [http.tokenFile, http.principalsFile].filter((path) => path !== null),
    agentModeByDefault: 'plan',
    version,
    isOfOneUser: false,
    program: 'gemini-mcp-server-http',
  };
}

/** Asked for each call, because the principals file may have changed. */
function rootsOfOwner(owner: string, { principals }: Pick<StaticTokens, 'principals'>): readonly string[] | null {
  const principal = principals.find((each) => each.owner === owner);
  return principal === undefined ? null : reachOf(principal).roots;
}

function withMetrics(observers: Observers, metrics: () => Metrics): Observers {
  return {
    ...observers,
    onAskEnd: (end) => metrics().onAskEnd(end),
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
      const clock = scope.resolve(tokens.PARTS.clock);
      // A body may still be arriving when shutdown begins: no client waits for its result.
      return every(readBoundedBody({ maxBytes: http.maxBodyBytes, clock }), scope.resolve(tokens.DRAIN).refuseNew);
    }),
  });
}

function registerMcp(container: DependencyContainer, { configuration, http, log }: ServiceOptions): void {
  container.register(tokens.MCP, {
    useFactory: once((scope) =>
      createMcpEndpoints({
        protocol: {
          version,
          callLimitMs: configuration.callLimitMs,
          clock: scope.resolve(tokens.PARTS.clock),
          log: createProtocolLog(log),
          records: () => Promise.resolve(scope.resolve(tokens.PARTS.records)),
          jobs: () => Promise.resolve(scope.resolve(tokens.PARTS.jobs)),
        },
        http,
        surfaces: scope.resolve(tokens.SURFACES),
        challenge: scope.resolve(tokens.CHALLENGE),
        readBody: scope.resolve(tokens.READ_BODY),
      }),
    ),
  });
}

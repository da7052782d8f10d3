import 'reflect-metadata';
import { homeDirectory } from '@gemini-mcp/adapters-node/internal/startup';
import { clientFailureWords, composeServer, createObservers, type Log, type ServerOptions } from '@gemini-mcp/server';
import { type DependencyContainer, instanceCachingFactory as once, container as root } from 'tsyringe';
import { serverVersion } from './server-version.ts';
import { surfacesByRoots } from './surfaces-by-roots.ts';
import * as tokens from './tokens.ts';

export type CompositionOptions = Pick<ServerOptions, 'configuration' | 'environment' | 'api'> & { readonly log: Log };

/** What is special about a server of one client: who owns calls, and whose roots count. */
export function composeStdioServer({ configuration, environment, api, log }: CompositionOptions): DependencyContainer {
  const container = root.createChildContainer();
  container.register(tokens.SERVER, {
    useFactory: once(() =>
      composeServer({
        configuration,
        environment,
        api,
        observers: createObservers(log),
        failureWords: clientFailureWords,
        furtherRoots: configuration.noRootBecause === null ? [] : null,
        hasSeveralOwners: false,
        privateFiles: [],
        agentModeByDefault: 'full',
        version: serverVersion,
        isOfOneUser: true,
      }),
    ),
  });
  container.register(tokens.SURFACES, {
    useFactory: once((scope) => {
      const { surfaceOf, nameRoots } = scope.resolve(tokens.SERVER);
      return surfacesByRoots({ configuration, surfaceOf, home: homeDirectory(environment), log, nameRoots });
    }),
  });
  return container;
}

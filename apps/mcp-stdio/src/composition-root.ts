import 'reflect-metadata';
import { defaultStateDirectory, homeDirectory } from '@gemini-mcp/adapters-node/internal/startup';
import { shellWord } from '@gemini-mcp/core/internal';
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
        program: startedProgram({ configuration, environment }),
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

/** As this process was started, since the name of the program is not on the PATH of a clone; with its own state directory and settings file. */
function startedProgram({
  configuration,
  environment,
}: Pick<CompositionOptions, 'configuration' | 'environment'>): string {
  const { stateDirectory, serversFile } = configuration;
  const isDefault =
    stateDirectory === defaultStateDirectory('gemini-mcp-server', environment, homeDirectory(environment));
  return [
    ...(isDefault ? [] : [`GEMINI_MCP_STATE_DIR=${shellWord(stateDirectory)}`]),
    ...(serversFile === null ? [] : [`GEMINI_MCP_SERVERS_FILE=${shellWord(serversFile)}`]),
    ...[process.execPath, process.argv[1] ?? ''].map(shellWord),
  ].join(' ');
}

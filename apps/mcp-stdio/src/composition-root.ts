import 'reflect-metadata';
import { defaultStateDirectory, homeDirectory } from '@gemini-mcp/adapters-node/internal/startup';
import { shellWord } from '@gemini-mcp/core/internal';
import {
  clientFailureWords,
  composeServer,
  partFactories,
  partNames,
  type ResolvePart,
  type ServerOptions,
  type ServerParts,
} from '@gemini-mcp/server';
import { type DependencyContainer, instanceCachingFactory as once, container as root } from 'tsyringe';
import { serverVersion } from './server-version.ts';
import { surfacesByRoots } from './surfaces-by-roots.ts';
import * as tokens from './tokens.ts';

export type CompositionOptions = Pick<ServerOptions, 'configuration' | 'environment' | 'api' | 'log'>;

/** What is special about a server of one client: who owns calls, and whose roots count. */
export function composeStdioServer({ configuration, environment, api, log }: CompositionOptions): DependencyContainer {
  const container = root.createChildContainer();
  const part = registerParts(container, {
    ...{ configuration, environment, api, log },
    failureWords: clientFailureWords,
    furtherRoots: configuration.noRootBecause === null ? [] : null,
    hasSeveralOwners: false,
    privateFiles: [],
    agentModeByDefault: 'full',
    version: serverVersion,
    isOfOneUser: true,
    program: startedProgram({ configuration, environment }),
  });
  container.register(tokens.SURFACES, {
    useFactory: once((scope) => {
      const { surfaceOf } = scope.resolve(tokens.SERVER);
      const { nameRoots } = part('upstreams');
      return surfacesByRoots({ configuration, surfaceOf, home: homeDirectory(environment), log, nameRoots });
    }),
  });
  return container;
}

/** Makes each part when it is first asked for. */
function registerParts(container: DependencyContainer, options: ServerOptions): ResolvePart {
  const part: ResolvePart = (name) => container.resolve(tokens.PARTS[name]);
  const register = <Name extends keyof ServerParts>(name: Name): void => {
    container.register(tokens.PARTS[name], { useFactory: once(() => partFactories[name](part, options)) });
  };
  partNames.forEach(register);
  container.register(tokens.SERVER, { useFactory: once(() => composeServer(options, part)) });
  return part;
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

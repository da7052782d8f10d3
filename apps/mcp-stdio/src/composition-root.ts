import 'reflect-metadata';
import { defaultStateDirectory, homeDirectory } from '@gemini-mcp/adapters-node/internal/startup';
import { shellWord } from '@gemini-mcp/core/internal';
import type { ClientRootUris, Surface } from '@gemini-mcp/mcp';
import {
  type Configuration,
  clientFailureWords,
  composeServer,
  fileAccessOfRoots,
  fileAccessWithoutRoots,
  type Log,
  partFactories,
  partNames,
  type Reach,
  type ResolvePart,
  resolveClientRoots,
  type ServerOptions,
  type ServerParts,
} from '@gemini-mcp/server';
import { type DependencyContainer, instanceCachingFactory as once, container as root } from 'tsyringe';
import { serverVersion } from './server-version.ts';
import * as tokens from './tokens.ts';

export type CompositionOptions = Pick<ServerOptions, 'configuration' | 'environment' | 'api' | 'log'>;

/** The specifics of a single-client server: the owner of calls, and the client's roots. */
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

/** Creates each part on first use. */
function registerParts(container: DependencyContainer, options: ServerOptions): ResolvePart {
  const part: ResolvePart = (name) => container.resolve(tokens.PARTS[name]);
  const register = <Name extends keyof ServerParts>(name: Name): void => {
    container.register(tokens.PARTS[name], { useFactory: once(() => partFactories[name](part, options)) });
  };
  partNames.forEach(register);
  container.register(tokens.SERVER, { useFactory: once(() => composeServer(options, part)) });
  return part;
}

/** The command line of this process, because a clone is not on PATH, with its own state directory and settings file. */
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

type SurfacesByRootsOptions = {
  readonly configuration: Configuration;
  readonly surfaceOf: (reach: Reach) => Surface;
  /** The user's home directory, too broad to be a root. */
  readonly home: string;
  readonly log: Pick<Log, 'info'>;
  /** Receives the roots in effect, as real paths. */
  readonly nameRoots: (directories: readonly string[]) => void;
};

/** Returns the surface for a client with these roots. */
export type SurfacesByRoots = (uris: ClientRootUris) => Promise<Surface>;

/**
 * Creates the surface for a client's roots. They count only if the server has no root: a client cannot widen the operator's
 * settings.
 */
function surfacesByRoots({ configuration, surfaceOf, home, log, nameRoots }: SurfacesByRootsOptions): SurfacesByRoots {
  const ofServer = surfaceOf(fileAccessWithoutRoots(configuration));
  let asked = 0;
  return async (uris) => {
    if (configuration.noRootBecause === null || uris === null) {
      return ofServer;
    }
    asked += 1;
    const number = asked;
    const { directories, refused } = await resolveClientRoots(uris, home);
    // Of two concurrent changes the later one counts, whichever resolves first.
    if (number === asked) {
      nameRoots(directories);
    }
    log.info('client-roots', { roots: directories, refused });
    return surfaceOf(
      directories.length === 0
        ? fileAccessWithoutRoots(configuration, ' The client named no usable root either.')
        : fileAccessOfRoots(directories),
    );
  };
}

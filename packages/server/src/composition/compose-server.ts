import { resolve } from 'node:path';
import { createPathCompleter } from '@gemini-mcp/adapters-node';
import { createSurface, type Surface } from '@gemini-mcp/mcp';
import { offerServers, type ServersForClients } from '../hub/offer-servers.ts';
import { narrowConfiguration, type Reach } from '../reach/reach.ts';
import { createAgent } from './create-agent.ts';
import { createContextResolver } from './create-context-resolver.ts';
import { createLentDirectories } from './create-lent-directories.ts';
import { createServerLender } from './create-server-lender.ts';
import { createUseCases } from './create-use-cases.ts';
import { openToolHost, type ToolHost } from './open-tool-host.ts';
import { rootsOf } from './roots-of.ts';
import { createServerParts, type ServerOptions, type ServerParts } from './server-parts.ts';
import { settleReach } from './settle-reach.ts';

/** A server without a transport. */
export type ComposedServer = ServerParts & {
  /** What is offered within a reach: a resolver, use cases and tools of its own, over the parts that all reaches share. */
  readonly surfaceOf: (reach: Reach) => Surface;
  /** What the other servers of an owner offer to its clients. */
  readonly offeredTo: (owner: string) => ServersForClients;
  /** Opens what serves the tools on projects to programs that are not Gemini; null where no one may work on projects. */
  readonly openToolHost: () => Promise<ToolHost | null>;
};

/** Composes a server. Over stdio it has one reach, over HTTP one for each set of roots that principals have. */
export function composeServer(options: ServerOptions): ComposedServer {
  const parts = createServerParts(options);
  return {
    ...parts,
    surfaceOf: (reach) => surfaceOf(parts, options, settleReach(reach, options.configuration)),
    offeredTo: offerServers({ ...options, ...parts }),
    openToolHost: () => openToolHost(options, parts),
  };
}

function surfaceOf(parts: ServerParts, { onAskEnd, failureWords, ...options }: ServerOptions, reach: Reach): Surface {
  const { privateFiles } = options;
  const { mayReadFiles, noFilesText, allowsYolo } = reach;
  const configuration = narrowConfiguration(options.configuration, reach);
  const { workingDirectory, roots, pinnedPaths: pinned, stateDirectory, tools: names, readOnly } = configuration;
  const { clock, finder } = parts;
  // The server runs no program that lies where a client may have files read.
  finder.exclude(reach.roots ?? []);
  const resolver = createContextResolver({ configuration, clock, privateFiles }, reach);
  const privateDirectories = [stateDirectory, ...privateFiles];
  const completePath = createPathCompleter({ workingDirectory, roots, pinned, privateDirectories, clock });
  // Other servers may change anything.
  const serverLender = readOnly ? undefined : createServerLender(parts, options);
  const lentDirectories = createLentDirectories(parts);
  const useCases = createUseCases({
    ...options,
    ...parts,
    configuration,
    resolver,
    lentDirectories,
    onAskEnd,
    serverLender,
  });
  return createSurface({
    failureWords,
    ...configuration,
    ...parts,
    capabilities: parts.runner.capabilities,
    ...useCases,
    serverLender,
    agent: createAgent({ ...options, ...parts, ...useCases, configuration, serverLender }),
    runPolicy: {
      allowYolo: configuration.allowYolo && allowsYolo,
      mayReadFiles,
      ...(noFilesText !== null && { noFilesText }),
      // Also where they are those of the server: the runner knows the roots of all reaches, and one has no right to another's.
      roots: rootsOf(configuration, reach),
      resolveDirectory: (name) => resolve(workingDirectory, name ?? '.'),
    },
    selection: { names, readOnly },
    completePath: mayReadFiles ? completePath : () => Promise.resolve([]),
  });
}

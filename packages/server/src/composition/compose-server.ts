import { resolve } from 'node:path';
import { createPathCompleter } from '@gemini-mcp/adapters-node';
import type { ToolProviderFactory } from '@gemini-mcp/core';
import { usageEntryOf } from '@gemini-mcp/core/internal';
import { composeGemini, type GeminiParts, runBudget } from '@gemini-mcp/gemini/internal';
import { type CompletePath, createSurface, type Surface, type SurfaceOptions } from '@gemini-mcp/mcp';
import { auditTool } from '../audit/audit-tool.ts';
import { narrowConfiguration, type Reach, rootsOf, settleFileAccess } from '../file-access/reach.ts';
import type { Configuration } from '../settings/read-configuration.ts';
import { createToolProviderFactory } from '../upstreams/create-tool-provider-factory.ts';
import { offerServers, type ServersForClients } from '../upstreams/offer-servers.ts';
import { agentModeOf, openProjectTools, type ProjectToolService } from './open-project-tools.ts';
import { auditingOf, type ResolvePart, type ServerOptions } from './server-parts.ts';

/** A server without a transport. */
export type ComposedServer = {
  /** Opens the tools of one reach: its own resolver, use cases and tools over the parts that all reaches share. */
  readonly surfaceOf: (reach: Reach) => Surface;
  /** The use cases for one reach, for a caller that is no client. */
  readonly useCasesOf: (reach: Reach) => GeminiParts;
  /** Finds the tools of an owner's upstream servers that its clients are offered. */
  readonly offeredTo: (owner: string) => ServersForClients;
  /** Opens the project tools for programs other than Gemini; null if work on projects is off. */
  readonly openProjectTools: () => Promise<ProjectToolService | null>;
};

/** Composes a server from its parts. Over stdio it has one reach, over HTTP one for each principal's set of roots. */
export function composeServer(options: ServerOptions, part: ResolvePart): ComposedServer {
  return {
    surfaceOf: (reach) => surfaceOf(options, part, settleFileAccess(reach, options.configuration)),
    useCasesOf: (reach) => openReach(options, part, settleFileAccess(reach, options.configuration)).composed,
    offeredTo: offerServers({
      ...options,
      upstreams: part('upstreams').upstreams,
      upstreamConfig: part('upstreams').settings,
      answers: part('answers'),
      clock: part('clock'),
      auditing: auditingOf(part, options),
    }),
    openProjectTools: () => openProjectTools(options, part),
  };
}

function surfaceOf(options: ServerOptions, part: ResolvePart, reach: Reach): Surface {
  const { failureWords } = options;
  const { mayReadFiles, noFilesText, allowsYolo } = reach;
  const { configuration, composed } = openReach(options, part, reach);
  const { workingDirectory, tools: names, readOnly } = configuration;
  const surface = createSurface({
    failureWords,
    ...configuration,
    ...composed,
    modelChain: part('modelChain'),
    answers: part('answers'),
    jobs: part('jobs'),
    knownModels: part('knownModels'),
    agent: agentOf(composed, { ...options, configuration, lendsServers: composed.toolProviderFactory !== undefined }),
    runPolicy: {
      allowYolo: configuration.allowYolo && allowsYolo,
      mayReadFiles,
      ...(noFilesText !== null && { noFilesText }),
      // Set even for the server's own roots: the runner knows the roots of all reaches, and no reach may use another's.
      roots: rootsOf(configuration, reach),
      resolveDirectory: (name) => resolve(workingDirectory, name ?? '.'),
    },
    selection: { names, readOnly },
    completePath: mayReadFiles ? completerOf({ ...options, configuration }, part) : () => Promise.resolve([]),
  });
  const auditing = auditingOf(part, options);
  return auditing === null
    ? surface
    : { ...surface, tools: surface.tools.map((tool) => auditTool(tool, null, auditing)) };
}

type OpenedReach = { readonly configuration: Configuration; readonly composed: GeminiParts };

function openReach(options: ServerOptions, part: ResolvePart, reach: Reach): OpenedReach {
  const configuration = narrowConfiguration(options.configuration, reach);
  // The server runs no program from a directory that a client may read.
  part('finder').exclude(reach.roots ?? []);
  // Upstream servers may change anything.
  const toolProviderFactory = configuration.readOnly ? undefined : createToolProviderFactory(part, options);
  return { configuration, composed: composeReach({ ...options, configuration, toolProviderFactory }, part, reach) };
}

type ReachOptions = ServerOptions & { readonly toolProviderFactory: ToolProviderFactory | undefined };

function composeReach(options: ReachOptions, part: ResolvePart, reach: Reach): GeminiParts {
  const { configuration, hasSeveralOwners } = options;
  return composeGemini({
    ...options,
    clock: part('clock'),
    resolver: part('resolverOf')(configuration, reach),
    runner: part('runner'),
    sessions: part('sessions'),
    executor: part('executor'),
    changes: part('changes'),
    approvals: part('approvals'),
    queue: part('queue'),
    previewQueue: part('previewQueue'),
    health: part('health'),
    knownModels: part('knownModels'),
    onAskEnd: (end) => {
      part('observers').onAskEnd(end);
      part('usage').record(usageEntryOf(end, part('clock').now()));
    },
    models: configuration.modelChain,
    budget: runBudget,
    offersLasting: !hasSeveralOwners,
  });
}

function completerOf({ configuration, privateFiles }: ServerOptions, part: ResolvePart): CompletePath {
  const { workingDirectory, roots, pinnedPaths: pinned, stateDirectory } = configuration;
  const privateDirectories = [stateDirectory, ...privateFiles];
  return createPathCompleter({ workingDirectory, roots, pinned, privateDirectories, clock: part('clock') });
}

const agentTimeoutMs = 900_000;

type AgentOptions = Pick<ServerOptions, 'configuration' | 'agentModeByDefault' | 'hasSeveralOwners'> & {
  readonly lendsServers: boolean;
};

/** What Gemini may do on projects; undefined if the operator switched that off. */
function agentOf(
  { workOnTask, undo }: Pick<GeminiParts, 'workOnTask' | 'undo'>,
  { hasSeveralOwners, lendsServers, ...options }: AgentOptions,
): SurfaceOptions['agent'] {
  const mode = agentModeOf(options);
  if (mode === 'off') {
    return undefined;
  }
  const allowsNetwork = mode === 'full' && options.configuration.agentMode === 'network';
  // Over HTTP each token decides this, so the caller must name the servers.
  return {
    workOnTask,
    undo,
    mode,
    allowsNetwork,
    budget: runBudget,
    timeoutMs: agentTimeoutMs,
    lendsServers: lendsServers && !hasSeveralOwners,
  };
}

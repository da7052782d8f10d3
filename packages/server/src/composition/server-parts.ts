import { parse } from 'node:path';
import { FileContextResolver, type GeminiCliFinder, NodeExecutor, SystemClock } from '@gemini-mcp/adapters-node';
import { LoopbackMcpServer } from '@gemini-mcp/agent-tools/lending';
import {
  type AnswerStore,
  type ApprovalStore,
  BackgroundJobs,
  CallQueue,
  type Clock,
  type ContextResolver,
  type Executor,
  type GeminiRunner,
  type LoopbackToolServer,
  type ModelChain,
  ModelHealth,
  type RecordStore,
  type SessionStore,
  type WorkMode,
} from '@gemini-mcp/core';
import { chainFor, createNoFilesResolver, type KnownModels } from '@gemini-mcp/core/internal';
import type { ApiAccess, ClosableRunner } from '@gemini-mcp/gemini/internal';
import type { SurfaceOptions, ToolOutcome } from '@gemini-mcp/mcp';
import type { Reach } from '../file-access/reach.ts';
import type { Log } from '../log/log.ts';
import type { Configuration } from '../settings/read-configuration.ts';
import type { Environment } from '../settings/setting.ts';
import { type CreatedUpstreams, createUpstreams } from '../upstreams/create-upstreams.ts';
import {
  chooseServerRunner,
  createCliFinder,
  createKnownModels,
  createServerRunners,
} from './create-server-runners.ts';
import {
  createAnswerStore,
  createApprovalStore,
  createHandle,
  createRecordStore,
  createSessionStore,
} from './create-stores.ts';
import { createObservers, type Observers } from './observers.ts';

export type ServerOptions = {
  readonly configuration: Configuration;
  readonly environment: Environment;
  /** How the Gemini API is asked, as `findApiAccess` found it. */
  readonly api: ApiAccess | null;
  readonly log: Log;
  /** The words on failures that readers get: a client that started the server can change other things than one that shares it. */
  readonly failureWords: NonNullable<SurfaceOptions['failureWords']>;
  /** Real paths of directories that some reach has in addition to the server's; null where clients name them as they come. */
  readonly furtherRoots: readonly string[] | null;
  /** The directories that a principal has of its own, as real paths; null where it has none. There are no principals when it is missing. */
  readonly rootsOfOwner?: (owner: string) => readonly string[] | null;
  /** Whether calls of more than one owner may come: then each owner leaves places in the queues for the others. */
  readonly hasSeveralOwners: boolean;
  /** Absolute paths of files that no call may read, such as those with the tokens of other principals. */
  readonly privateFiles: readonly string[];
  /** As other servers see this one. */
  readonly version: string;
  /** Its client belongs to the user who has started it: what lies in their home and in their project counts. */
  readonly isOfOneUser: boolean;
  /** How a shell starts it, for users who are told what to type; `gemini-mcp-server` if missing. */
  readonly program?: string;
  /** The most that a run of gemini_agent may do where the operator has set nothing. */
  readonly agentModeByDefault: WorkMode;
};

/** What all reaches of a server share: one of each in a process. An app has a token for each. */
export type ServerParts = {
  readonly observers: Observers;
  readonly clock: Clock;
  readonly finder: GeminiCliFinder;
  /** Lends the CLI the tools of runs. To be closed. */
  readonly loopbackToolServer: LoopbackToolServer & { close(): Promise<void> };
  /** Among them `runner` chooses, call by call. To be closed. */
  readonly runners: readonly ClosableRunner[];
  readonly runner: GeminiRunner;
  /** Those that a plain question tries where its caller names none, best first. */
  readonly modelChain: ModelChain;
  /** Reads the files of a reach. */
  readonly resolverOf: ResolverOfAccess;
  /** Under everything that is kept beyond the process. */
  readonly records: RecordStore;
  readonly sessions: SessionStore;
  readonly answers: AnswerStore;
  /** Works on projects. */
  readonly executor: Executor;
  /** What users have allowed for good. */
  readonly approvals: ApprovalStore;
  /** The other MCP servers of the users. To be closed. */
  readonly upstreams: CreatedUpstreams;
  /** Calls to Gemini wait here. */
  readonly queue: CallQueue;
  /** Calls that look at what would be sent wait here: they hold it in memory. */
  readonly previewQueue: CallQueue;
  readonly health: ModelHealth;
  /** What the API tells of its models; undefined where it is asked with no key. */
  readonly knownModels: KnownModels | undefined;
  /** To be closed. */
  readonly jobs: BackgroundJobs<ToolOutcome>;
};

/** Finds a part by its name, and makes it if it is the first who asks. */
export type ResolvePart = <Name extends keyof ServerParts>(name: Name) => ServerParts[Name];

/**
 * Which adapter implements each port: how each part is made of the others. The container of an app has a registration for each,
 * so that one registration replaces one adapter. Starts no process.
 */
export const partFactories: {
  readonly [Name in keyof ServerParts]: (part: ResolvePart, options: ServerOptions) => ServerParts[Name];
} = {
  observers: (_, { log }) => createObservers(log),
  clock: () => new SystemClock(),
  finder: (part, options) =>
    createCliFinder({ ...options, observers: part('observers'), furtherRoots: options.furtherRoots ?? [] }),
  loopbackToolServer: (part) =>
    new LoopbackMcpServer({ clock: part('clock'), log: part('observers').onToolSessionFault }),
  runners: (part, options) =>
    createServerRunners({
      ...options,
      observers: part('observers'),
      clock: part('clock'),
      finder: part('finder'),
      loopbackToolServer: part('loopbackToolServer'),
      furtherRoots: shownRoots(options),
    }),
  runner: (part, { configuration }) =>
    chooseServerRunner({
      configuration,
      clock: part('clock'),
      runners: part('runners'),
      onChoice: part('observers').onChoice,
    }),
  modelChain: (part, { configuration }) => {
    const runner = part('runner');
    return chainFor(configuration.modelChain, runner.capabilitiesFor?.({}) ?? runner.capabilities);
  },
  resolverOf: (part, { privateFiles }) => createContextResolver({ clock: part('clock'), privateFiles }),
  records: (part, { configuration }) => createRecordStore(configuration, part('clock'), part('observers').onQuarantine),
  sessions: (part, { configuration }) => createSessionStore({ configuration, records: part('records') }),
  answers: (part) => createAnswerStore({ records: part('records'), clock: part('clock') }),
  executor: (part, { configuration, environment, privateFiles: privateDirectories }) => {
    const { stateDirectory, pinnedPaths: pinned, toolPaths } = configuration;
    const { onQuarantine } = part('observers');
    const clock = part('clock');
    return new NodeExecutor({
      ...{ clock, stateDirectory, privateDirectories, pinned, environment, toolPaths, onQuarantine },
    });
  },
  approvals: (part) => createApprovalStore(part('records'), part('observers').onUnusableApproval),
  upstreams: (part, options) =>
    createUpstreams({
      ...options,
      clock: part('clock'),
      records: part('records'),
      finder: part('finder'),
      log: part('observers').onUpstream,
    }),
  queue: (_, options) => createQueue(options),
  previewQueue: (_, options) => createQueue(options),
  health: (part) => new ModelHealth({ clock: part('clock') }),
  knownModels: (part, { api }) => createKnownModels(api, part('clock')),
  jobs: (part) => new BackgroundJobs({ clock: part('clock'), createHandle, onError: part('observers').onJobError }),
};

export const partNames = Object.keys(partFactories) as readonly (keyof ServerParts)[];

function createQueue({ configuration, hasSeveralOwners }: ServerOptions): CallQueue {
  const { maxRunning, maxQueued } = configuration;
  return new CallQueue({ maxRunning, maxQueued, hasSeveralOwners });
}

/** Where clients name their roots, the runner takes any directory: each request brings the roots that its directory must lie below. */
function shownRoots({ furtherRoots, configuration }: ServerOptions): readonly string[] {
  return furtherRoots ?? [parse(configuration.workingDirectory).root];
}

type ContextResolverParts = {
  readonly clock: Clock;
  /** Absolute paths of what is the server's own. */
  readonly privateFiles: readonly string[];
};

/** Reads the files within a reach, to which the configuration has been narrowed, or says why it reads none. */
type ResolverOfAccess = (
  configuration: Configuration,
  reach: Pick<Reach, 'mayReadFiles' | 'noFilesText'>,
) => ContextResolver;

function createContextResolver({ clock, privateFiles }: ContextResolverParts): ResolverOfAccess {
  return (configuration, { mayReadFiles, noFilesText }) => {
    if (!mayReadFiles) {
      return createNoFilesResolver(noFilesText ?? 'this token may read no files');
    }
    const { workingDirectory, roots, pinnedPaths: pinned, stateDirectory, allowSensitive } = configuration;
    const privateDirectories = [stateDirectory, ...privateFiles];
    return new FileContextResolver({ workingDirectory, roots, pinned, privateDirectories, allowSensitive, clock });
  };
}

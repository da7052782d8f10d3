import { parse } from 'node:path';
import {
  FileContextResolver,
  type GeminiCliFinder,
  GitChangeReader,
  NodeExecutor,
  SystemClock,
} from '@gemini-mcp/adapters-node';
import { secretValues } from '@gemini-mcp/adapters-node/internal/startup';
import { LoopbackMcpServer } from '@gemini-mcp/agent-tools/loopback';
import {
  type AnswerStore,
  type ApprovalStore,
  type AuditLog,
  CallQueue,
  type ChangeReader,
  type Clock,
  type ContextResolver,
  type Executor,
  type GeminiRunner,
  type KeptJobs,
  type LoopbackToolServer,
  type ModelChain,
  ModelHealth,
  type RecordStore,
  type SessionStore,
  type UsageLedger,
  type WorkMode,
} from '@gemini-mcp/core';
import { chainFor, createNoFilesResolver, type KnownModels } from '@gemini-mcp/core/internal';
import type { ApiAccess, ClosableRunner } from '@gemini-mcp/gemini/internal';
import type { SurfaceOptions, ToolOutcome } from '@gemini-mcp/mcp';
import { type AuditToolOptions, auditJob } from '../audit/audit-tool.ts';
import { auditWordsFor } from '../audit/audit-words.ts';
import type { Reach } from '../file-access/reach.ts';
import type { Log } from '../log/log.ts';
import type { Configuration } from '../settings/read-configuration.ts';
import type { SettingsEnvironment } from '../settings/setting.ts';
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
  createAuditLog,
  createJobs,
  createLocalRecordStore,
  createRecordStore,
  createSessionStore,
  createUsageLedger,
} from './create-stores.ts';
import { createObservers, type Observers } from './observers.ts';

export type ServerOptions = {
  readonly configuration: Configuration;
  readonly environment: SettingsEnvironment;
  /** Access to the Gemini API, as found by `findApiAccess`. */
  readonly api: ApiAccess | null;
  readonly log: Log;
  /** The failure messages for clients: a client that started the server can change settings that one sharing it cannot. */
  readonly failureWords: NonNullable<SurfaceOptions['failureWords']>;
  /** Real paths of directories that reaches have besides the server's own; null if clients name their roots at run time. */
  readonly furtherRoots: readonly string[] | null;
  /** Returns a principal's own directories as real paths, or null if it has no own directories. Missing if the server has no principals. */
  readonly rootsOfOwner?: (owner: string) => readonly string[] | null;
  /** Whether calls of several owners may arrive. Each owner then leaves slots in the queues for the others. */
  readonly hasSeveralOwners: boolean;
  /** Absolute paths of files that no call may read, such as files with the tokens of other principals. */
  readonly privateFiles: readonly string[];
  /** The name under which upstream servers see this server. */
  readonly version: string;
  /** Whether the client belongs to the user who started the server: settings in their home and project then count. */
  readonly isOfOneUser: boolean;
  /** The shell command of this server for messages to users. Defaults to `gemini-mcp-server`. */
  readonly program?: string;
  /** The most that a run of gemini_agent may do if the operator has not set a mode. */
  readonly agentModeByDefault: WorkMode;
};

/** The parts that all reaches of a server share, one of each per process. An app has a token for each. */
export type ServerParts = {
  readonly observers: Observers;
  readonly clock: Clock;
  readonly finder: GeminiCliFinder;
  /** Serves model tools to the CLI. Must be closed. */
  readonly loopbackToolServer: LoopbackToolServer & { close(): Promise<void> };
  /** The runners that `runner` chooses from for each call. Must be closed. */
  readonly runners: readonly ClosableRunner[];
  readonly runner: GeminiRunner;
  /** The default models of a plain question, best first. */
  readonly modelChain: ModelChain;
  /** Creates a resolver for the files of a reach. */
  readonly resolverOf: ResolverOfAccess;
  /** The store beneath everything that outlives the process, which other machines may share. */
  readonly records: RecordStore;
  /** The store of what belongs to this machine: logins to other servers, and approvals of projects. */
  readonly localRecords: RecordStore;
  readonly sessions: SessionStore;
  readonly answers: AnswerStore;
  /** Keeps what calls to Gemini used. Must be closed. */
  readonly usage: UsageLedger;
  /** Keeps who called which tool; null if it is off. Must be closed. */
  readonly audit: AuditLog | null;
  /** Runs work on projects. */
  readonly executor: Executor;
  /** Reads changes for reviews. */
  readonly changes: ChangeReader;
  /** Stores permanent approvals. */
  readonly approvals: ApprovalStore;
  /** The upstream MCP servers of the users. Must be closed. */
  readonly upstreams: CreatedUpstreams;
  /** The queue of calls to Gemini. */
  readonly queue: CallQueue;
  /** The queue of calls that preview what would be sent: each holds the content in memory. */
  readonly previewQueue: CallQueue;
  readonly health: ModelHealth;
  /** The API's model list; undefined without an API key. */
  readonly knownModels: KnownModels | undefined;
  /** Must be closed. */
  readonly jobs: KeptJobs<ToolOutcome>;
};

/** Resolves a part by name and creates it on first use. */
export type ResolvePart = <Name extends keyof ServerParts>(name: Name) => ServerParts[Name];

/**
 * Factories for the adapter behind each port. The container of an app registers each one, so that one registration replaces
 * one adapter. Starts no process.
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
  records: (part, { configuration }) =>
    configuration.store === null
      ? part('localRecords')
      : createRecordStore(configuration, part('clock'), part('observers').onQuarantine),
  localRecords: (part, { configuration }) =>
    createLocalRecordStore(configuration, part('clock'), part('observers').onQuarantine),
  sessions: (part, { configuration }) => createSessionStore({ configuration, records: part('records') }),
  answers: (part) => createAnswerStore({ records: part('records'), clock: part('clock') }),
  usage: (part, { configuration }) => createUsageLedger(configuration, part('observers').onUsageLost),
  audit: (part, { configuration }) => createAuditLog(configuration, part('observers').onAuditLost),
  executor: (part, { configuration, environment, privateFiles: privateDirectories }) => {
    const { stateDirectory, pinnedPaths: pinned, toolPaths } = configuration;
    const { onQuarantine } = part('observers');
    const clock = part('clock');
    return new NodeExecutor({
      ...{ clock, stateDirectory, privateDirectories, pinned, environment, toolPaths, onQuarantine },
    });
  },
  changes: (part, { configuration: { stateDirectory, pinnedPaths: pinned }, privateFiles: privateDirectories }) =>
    new GitChangeReader({ clock: part('clock'), stateDirectory, pinned, privateDirectories }),
  approvals: (part) => createApprovalStore(part('records'), part('observers').onUnusableApproval),
  upstreams: (part, options) =>
    createUpstreams({
      ...options,
      clock: part('clock'),
      records: part('records'),
      localRecords: part('localRecords'),
      finder: part('finder'),
      log: part('observers').onUpstream,
    }),
  queue: (_, options) => createQueue(options),
  previewQueue: (_, options) => createQueue(options),
  health: (part) => new ModelHealth({ clock: part('clock') }),
  knownModels: (part, { api }) => createKnownModels(api, part('clock')),
  jobs: (part, options) => {
    const { onJobEnd, onJobError } = part('observers');
    const audited = auditingOf(part, options);
    return createJobs({
      ...{ configuration: options.configuration, clock: part('clock'), records: part('records'), onJobError },
      onJobEnd: (ended) => {
        onJobEnd(ended);
        audited?.audit.record(auditJob(ended, audited));
      },
    });
  },
};

export const partNames = Object.keys(partFactories) as readonly (keyof ServerParts)[];

/** How calls are recorded; null if they are not. */
export function auditingOf(part: ResolvePart, { configuration, environment }: ServerOptions): AuditToolOptions | null {
  const audit = part('audit');
  const words = auditWordsFor(configuration.audit === 'full', secretValues(environment));
  return audit === null ? null : { audit, clock: part('clock'), words };
}

function createQueue({ configuration, hasSeveralOwners }: ServerOptions): CallQueue {
  const { maxRunning, maxQueued } = configuration;
  return new CallQueue({ maxRunning, maxQueued, hasSeveralOwners });
}

/** If clients name their roots, the runner accepts any directory: each request carries the roots that must contain its directory. */
function shownRoots({ furtherRoots, configuration }: ServerOptions): readonly string[] {
  return furtherRoots ?? [parse(configuration.workingDirectory).root];
}

type ContextResolverParts = {
  readonly clock: Clock;
  /** Absolute paths of the server's own files. */
  readonly privateFiles: readonly string[];
};

/** Creates a resolver for the files of a reach, which the configuration is narrowed to, or one that explains why it reads no files. */
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

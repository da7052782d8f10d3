import { parse } from 'node:path';
import type { ApiGeminiRunner } from '@gemini-mcp/adapters-api';
import { type GeminiCliFinder, NodeExecutor, SystemClock, type WarmGeminiRunner } from '@gemini-mcp/adapters-node';
import {
  type AnswerStore,
  type ApprovalStore,
  type AskGeminiOptions,
  CallQueue,
  type Clock,
  type Executor,
  type GeminiRunner,
  JobBoard,
  type ModelChain,
  ModelHealth,
  type SessionStore,
  type WorkMode,
} from '@gemini-mcp/core';
import { chainFor, type KnownModels } from '@gemini-mcp/core/internal';
import type { ApiAccess } from '@gemini-mcp/gemini/internal';
import type { SurfaceOptions, ToolOutcome } from '@gemini-mcp/mcp';
import { LendingEndpoint } from '@gemini-mcp/tool-host/lending';
import { type CreatedHub, createHub } from '../hub/create-hub.ts';
import type { Configuration } from '../settings/configuration.ts';
import type { Environment } from '../settings/environment.ts';
import { createCliFinder } from './create-cli-finder.ts';
import { createKnownModels } from './create-known-models.ts';
import { createSampling } from './create-sampling.ts';
import { createServerRunners } from './create-server-runners.ts';
import {
  createAnswerStore,
  createApprovalStore,
  createHandle,
  createRecordStore,
  createSessionStore,
} from './create-stores.ts';
import type { Observers } from './observers.ts';

export type ServerOptions = {
  readonly configuration: Configuration;
  readonly environment: Environment;
  /** How the Gemini API is asked, as `findApiAccess` found it. */
  readonly api: ApiAccess | null;
  readonly observers: Observers;
  /** The words on failures that readers get: a client that started the server can change other things than one that shares it. */
  readonly failureWords: NonNullable<SurfaceOptions['failureWords']>;
  /** Told of each call to Gemini that has ended. */
  readonly onAskEnd?: NonNullable<AskGeminiOptions['onEnd']>;
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

/** What all reaches of a server share: one of each in a process. */
export type ServerParts = {
  readonly clock: Clock;
  readonly finder: GeminiCliFinder;
  /** Keeps connections between calls, and is to be closed; null where the API is not asked without the CLI. */
  readonly api: ApiGeminiRunner | null;
  /** Keeps processes between calls, and is to be closed; null where every call has a process of its own. */
  readonly warm: WarmGeminiRunner | null;
  /** Lends the CLI the tools of runs, and is to be closed. */
  readonly lending: LendingEndpoint;
  readonly runner: GeminiRunner;
  /** Those that a plain question tries where its caller names none, best first. */
  readonly modelChain: ModelChain;
  readonly sessions: SessionStore;
  readonly answers: AnswerStore;
  /** Works on projects. */
  readonly executor: Executor;
  /** What users have allowed for good. */
  readonly approvals: ApprovalStore;
  /** The other MCP servers of the users. To be closed. */
  readonly hub: CreatedHub['hub'];
  readonly hubLogins: CreatedHub['logins'];
  /** What the settings of other servers say. */
  readonly hubSettings: CreatedHub['settings'];
  /** By what this server knows a request of its own. */
  readonly hubMark: CreatedHub['mark'];
  readonly nameRoots: CreatedHub['nameRoots'];
  /** Calls to Gemini wait here. */
  readonly queue: CallQueue;
  /** Calls that look at what would be sent wait here: they hold it in memory. */
  readonly previewQueue: CallQueue;
  readonly health: ModelHealth;
  /** What the API tells of its models; undefined where it is asked with no key. */
  readonly knownModels: KnownModels | undefined;
  readonly jobs: JobBoard<ToolOutcome>;
};

/** Says which adapter implements each port. Starts no process. */
export function createServerParts(options: ServerOptions): ServerParts {
  const { configuration, observers, hasSeveralOwners } = options;
  const { maxRunning, maxQueued } = configuration;
  const clock = new SystemClock();
  const finder = createCliFinder({ ...options, furtherRoots: options.furtherRoots ?? [] });
  const lending = new LendingEndpoint({ clock, log: observers.onLendingFault });
  const furtherRoots = shownRoots(options);
  const runners = createServerRunners({ ...options, clock, finder, toolEndpoint: lending, furtherRoots });
  const { runner } = runners;
  const places = { maxRunning, maxQueued, hasSeveralOwners };
  const queue = new CallQueue(places);
  const modelChain = chainFor(configuration.modelChain, runner.capabilitiesFor?.({}) ?? runner.capabilities);
  const records = createRecordStore(configuration, clock, observers.onQuarantine);
  const sampling = createSampling({ configuration, observers, clock, runner, modelChain, queue });
  const { hub, logins, settings, mark, nameRoots } = createHub({
    ...options,
    clock,
    records,
    finder,
    log: observers.onOtherServer,
    sampling,
  });
  return {
    clock,
    finder,
    ...runners,
    lending,
    modelChain,
    sessions: createSessionStore({ configuration, records }),
    answers: createAnswerStore({ records, clock }),
    executor: createExecutor(options, clock),
    approvals: createApprovalStore(records, observers.onUnusableApproval),
    hub,
    hubLogins: logins,
    hubSettings: settings,
    hubMark: mark,
    nameRoots,
    queue,
    previewQueue: new CallQueue(places),
    health: new ModelHealth({ clock }),
    knownModels: createKnownModels(options.api, clock),
    jobs: new JobBoard({ clock, createHandle, onError: observers.onJobError }),
  };
}

function createExecutor(
  { configuration, environment, observers, privateFiles }: ServerOptions,
  clock: Clock,
): Executor {
  const { stateDirectory, pinnedPaths: pinned, toolPaths } = configuration;
  const { onQuarantine } = observers;
  return new NodeExecutor({
    clock,
    stateDirectory,
    privateDirectories: privateFiles,
    pinned,
    environment,
    toolPaths,
    onQuarantine,
  });
}

/** Where clients name their roots, the runner takes any directory: each request brings the roots that its directory must lie below. */
function shownRoots({ furtherRoots, configuration }: ServerOptions): readonly string[] {
  return furtherRoots ?? [parse(configuration.workingDirectory).root];
}

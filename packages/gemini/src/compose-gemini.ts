import { randomBytes, randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { createKeyedBoundary } from '@gemini-mcp/adapters-node';
import { describeShortage } from '@gemini-mcp/adapters-node/internal';
import {
  type ApprovalStore,
  AskForJson,
  AskGemini,
  type AskGeminiOptions,
  AskOpinions,
  type CallQueue,
  type ChangeReader,
  Chat,
  type Clock,
  DirectoryTools,
  type Executor,
  type ModelChain,
  type ModelHealth,
  PreviewContext,
  type ProjectForTools,
  ReviewChange,
  SearchWeb,
  type SessionStore,
  type ToolProvider,
  type ToolProviderFactory,
  type WorkBudget,
  WorkOnTask,
} from '@gemini-mcp/core';
import { chainFor, type KnownModels, ServerTools } from '@gemini-mcp/core/internal';
import type { GeminiParts } from './gemini-parts.ts';

/** The ports of the use cases, and their limits. */
export type ComposeGeminiOptions = Pick<AskGeminiOptions, 'clock' | 'resolver' | 'runner'> & {
  /** The call queue. */
  readonly queue: CallQueue;
  readonly sessions: SessionStore;
  readonly executor: Executor;
  readonly changes: ChangeReader;
  readonly approvals: ApprovalStore;
  readonly health: ModelHealth;
  /** The fallback chain for calls without a model; null for the runner's own. */
  readonly models: ModelChain | null;
  /** Limits of the context windows, as the API states them; by the names of the models if missing. */
  readonly knownModels?: KnownModels | undefined;
  /** The queue of previews, each of which holds its files in memory. If missing, all run at once. */
  readonly previewQueue?: CallQueue | undefined;
  /** Gives Gemini tools of upstream MCP servers. Defaults to no tools. */
  readonly toolProviderFactory?: ToolProviderFactory | undefined;
  /** The most that a run with tools may use. */
  readonly budget: WorkBudget;
  /** Whether users may approve a step permanently: not on a shared server. */
  readonly offersLasting: boolean;
  /** The shell command of the server, for users who cannot be asked. Defaults to `gemini-mcp-server`. */
  readonly program?: string | undefined;
  /** Called at the end of each call to Gemini. */
  readonly onAskEnd?: AskGeminiOptions['onEnd'] | undefined;
};

/**
 * Composes the use cases from the ports. The servers call it for each set of roots that callers may read, `createGemini` calls
 * it with defaults. Starts nothing; loads the project tools with the first run that needs them.
 */
export function composeGemini(options: ComposeGeminiOptions): GeminiParts {
  const { clock, runner, models, health, sessions, executor, previewQueue } = options;
  const shared = sharedOptions(options);
  const askGemini = new AskGemini({
    ...shared,
    queue: options.queue,
    random: Math.random,
    toolAttachers: [...createServerTools(options), createDirectoryTools(options)],
    onAttempt: (attempt) => health.record(attempt),
    ...(options.onAskEnd !== undefined && { onEnd: options.onAskEnd }),
  });
  const askForJson = new AskForJson({ clock, askGemini, runner });
  return {
    askGemini,
    askForJson,
    askOpinions: new AskOpinions({ clock, askGemini, askForJson, boundaryOf: shared.boundaryOf }),
    reviewChange: new ReviewChange({ clock, askForJson, changes: options.changes, boundaryOf: shared.boundaryOf }),
    previewContext: new PreviewContext({ ...shared, ...(previewQueue !== undefined && { queue: previewQueue }) }),
    chat: new Chat({ clock, sessions, askGemini, runner, createId: randomUUID }),
    searchWeb: new SearchWeb({ clock, askGemini, runner }),
    workOnTask: createWorkOnTask(options, askGemini),
    undo: (request, signal) => executor.undo(request, signal),
    sessions,
    health,
    modelChain: chainFor(models, runner.capabilitiesFor?.({}) ?? runner.capabilities),
    clock,
    capabilities: runner.capabilities,
    toolProviderFactory: options.toolProviderFactory,
  };
}

function sharedOptions({ clock, resolver, runner, models: modelChain, knownModels }: ComposeGeminiOptions) {
  const windows = knownModels !== undefined && { windowOf: knownModels.windowOf.bind(knownModels) };
  return { clock, resolver, runner, modelChain, boundaryOf: createKeyedBoundary(), ...windows };
}

function createServerTools(options: ComposeGeminiOptions): readonly ServerTools[] {
  const { toolProviderFactory, clock, approvals, offersLasting, program, budget } = options;
  return toolProviderFactory === undefined
    ? []
    : [new ServerTools({ clock, toolProviderFactory, approvals, offersLasting, program, budget })];
}

function createWorkOnTask(options: ComposeGeminiOptions, askGemini: AskGemini): WorkOnTask {
  const { clock, executor, approvals, offersLasting, program, toolProviderFactory } = options;
  return new WorkOnTask({
    ...{ clock, askGemini, executor, approvals, offersLasting, program, toolProviderFactory },
    createRunId,
    realPathOf: (directory) => realpath(directory).catch(() => directory),
    provideProjectTools: (project) => provideProjectTools(project, clock),
  });
}

function createDirectoryTools({ clock, runner, executor, budget }: ComposeGeminiOptions): DirectoryTools {
  return new DirectoryTools({
    ...{ clock, runner, executor, budget, createRunId, identify },
    provideProjectTools: (project) => provideProjectTools(project, clock),
    shortageOf: describeShortage,
  });
}

function createRunId(): string {
  return randomBytes(8).toString('hex');
}

/** Loads the tools and the command grammar lazily, so that a program that only asks never loads them. */
async function provideProjectTools(project: ProjectForTools, clock: Clock): Promise<ToolProvider> {
  const { ProjectTools } = await import('@gemini-mcp/agent-tools');
  return new ProjectTools({ ...project, clock });
}

/** A directory by its real path and its number in the file system. */
async function identify(directory: string): Promise<string | null> {
  try {
    const real = await realpath(directory);
    const { dev, ino } = await stat(real, { bigint: true });
    return `${dev} ${ino} ${real}`;
  } catch {
    return null;
  }
}

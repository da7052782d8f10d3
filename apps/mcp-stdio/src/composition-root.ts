import 'reflect-metadata';
import { randomBytes, randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import {
  CliGeminiRunner,
  type CliGeminiRunnerOptions,
  createPathCompleter,
  FileAnswerStore,
  FileContextResolver,
  FileSessionStore,
  type GeminiCli,
  GeminiCliFinder,
  type PoolReport,
  type Quarantined,
  type RunReport,
  SystemClock,
  WarmGeminiRunner,
} from '@gemini-mcp/adapters-node';
import {
  AskGemini,
  CallQueue,
  Chat,
  ChoosingGeminiRunner,
  InMemorySessionStore,
  JobBoard,
  ModelHealth,
  PreviewContext,
  type RunnerChoice,
  SearchWeb,
} from '@gemini-mcp/core';
import { createPrompts, createResources, createTools, type Surface, selectTools } from '@gemini-mcp/mcp';
import type { Configuration } from '@gemini-mcp/server';
import { type DependencyContainer, instanceCachingFactory as once, container as root } from 'tsyringe';
import {
  ANSWER_STORE,
  ASK_GEMINI,
  CHAT,
  CLI_FINDER,
  CLOCK,
  CONTEXT_RESOLVER,
  GEMINI_RUNNER,
  JOBS,
  MODEL_HEALTH,
  PREVIEW_CONTEXT,
  SEARCH_WEB,
  SESSION_STORE,
  SURFACE,
  WARM_RUNNER,
} from './tokens.ts';
import { withoutKeptConversations } from './without-kept-conversations.ts';

export type CompositionOptions = {
  readonly configuration: Configuration;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onCliFound: (cli: GeminiCli) => void;
  readonly onRun: (report: RunReport) => void;
  /** Told of each runner that is given a request, and why. */
  readonly onChoice: (choice: RunnerChoice) => void;
  /** Told what becomes of the processes that are kept running. */
  readonly onPool: (report: PoolReport) => void;
  /** Told of a file of the state directory that could not be read and was put aside. */
  readonly onQuarantine: (quarantined: Quarantined) => void;
  /** Told of a fault in a job that nobody waits for. */
  readonly onJobError: (error: unknown) => void;
};

const dayMs = 86_400_000;

const createBoundary = (): string => randomBytes(9).toString('hex');
const createHandle = (): string => randomBytes(12).toString('hex');

/** Says which adapter stands behind each port, and gives everything its settings. Nothing is made until it is asked for. */
export function composeServer(options: CompositionOptions): DependencyContainer {
  const container = root.createChildContainer();
  registerAdapters(container, options);
  registerUseCases(container, options);
  registerSurface(container, options.configuration);
  return container;
}

/** Holds one private directory a run. */
export function runsDirectoryOf({ stateDirectory }: Configuration): string {
  return join(stateDirectory, 'runs');
}

function registerAdapters(container: DependencyContainer, options: CompositionOptions): void {
  const { configuration } = options;
  container.register(CLOCK, { useFactory: once(() => new SystemClock()) });
  container.register(CONTEXT_RESOLVER, {
    useFactory: once(
      (scope) =>
        new FileContextResolver({
          workingDirectory: configuration.workingDirectory,
          roots: configuration.roots,
          privateDirectories: [configuration.stateDirectory],
          allowSensitive: configuration.allowSensitive,
          clock: scope.resolve(CLOCK),
        }),
    ),
  });
  registerRunners(container, options);
  registerStores(container, options);
}

function registerRunners(container: DependencyContainer, options: CompositionOptions): void {
  const { environment, onCliFound, onChoice, onPool } = options;
  const { runner: preference, warmProcesses, warmMaxBytes, warmIdleMs, sessionRetentionDays } = options.configuration;
  const limits = { maxProcesses: warmProcesses, maxRssBytes: warmMaxBytes, idleMs: warmIdleMs };
  // One for both: whichever looks first, the CLI is looked for once.
  container.register(CLI_FINDER, { useFactory: once(() => new GeminiCliFinder({ environment, onCliFound })) });
  container.register(WARM_RUNNER, {
    useFactory: once((scope) =>
      preference === 'headless' ? null : new WarmGeminiRunner({ ...runnerOptions(scope, options), onPool, limits }),
    ),
  });
  container.register(GEMINI_RUNNER, {
    useFactory: once((scope) => {
      const headless = new CliGeminiRunner(runnerOptions(scope, options));
      const runners = [scope.resolve(WARM_RUNNER), headless].filter((each) => each !== null);
      const runner = new ChoosingGeminiRunner({ clock: scope.resolve(CLOCK), runners, preference, onChoice });
      return sessionRetentionDays === 0 ? withoutKeptConversations(runner) : runner;
    }),
  });
}

/** The same for both ways of running. */
function runnerOptions(scope: DependencyContainer, options: CompositionOptions): CliGeminiRunnerOptions {
  const { configuration, environment, onRun } = options;
  return {
    clock: scope.resolve(CLOCK),
    finder: scope.resolve(CLI_FINDER),
    environment,
    runsDirectory: runsDirectoryOf(configuration),
    userDirectory: configuration.userDirectory,
    roots: [configuration.workingDirectory, ...configuration.roots],
    trustedDirectories: configuration.trustedDirectories,
    privateDirectories: [configuration.stateDirectory],
    onRun,
  };
}

function registerStores(container: DependencyContainer, { configuration, onQuarantine }: CompositionOptions): void {
  const { stateDirectory, sessionRetentionDays } = configuration;
  const retentionMs = sessionRetentionDays === Number.POSITIVE_INFINITY ? null : sessionRetentionDays * dayMs;
  container.register(SESSION_STORE, {
    useFactory: once((scope) => {
      const clock = scope.resolve(CLOCK);
      return retentionMs === 0
        ? new InMemorySessionStore()
        : new FileSessionStore({ directory: stateDirectory, clock, retentionMs, onQuarantine });
    }),
  });
  container.register(ANSWER_STORE, {
    useFactory: once(
      (scope) =>
        new FileAnswerStore({
          directory: stateDirectory,
          clock: scope.resolve(CLOCK),
          createHandle,
          onQuarantine,
        }),
    ),
  });
}

function registerUseCases(container: DependencyContainer, options: CompositionOptions): void {
  const { modelChain, maxRunning, maxQueued } = options.configuration;
  container.register(MODEL_HEALTH, { useFactory: once((scope) => new ModelHealth({ clock: scope.resolve(CLOCK) })) });
  container.register(JOBS, {
    useFactory: once(
      (scope) => new JobBoard({ clock: scope.resolve(CLOCK), createHandle, onError: options.onJobError }),
    ),
  });
  container.register(ASK_GEMINI, {
    useFactory: once((scope) => {
      const health = scope.resolve(MODEL_HEALTH);
      return new AskGemini({
        clock: scope.resolve(CLOCK),
        resolver: scope.resolve(CONTEXT_RESOLVER),
        runner: scope.resolve(GEMINI_RUNNER),
        modelChain,
        random: Math.random,
        createBoundary,
        queue: new CallQueue({ maxRunning, maxQueued }),
        onAttempt: (attempt) => health.record(attempt),
      });
    }),
  });
  container.register(PREVIEW_CONTEXT, {
    useFactory: once((scope) => {
      const { capabilities } = scope.resolve(GEMINI_RUNNER);
      const resolver = scope.resolve(CONTEXT_RESOLVER);
      return new PreviewContext({ clock: scope.resolve(CLOCK), resolver, capabilities, modelChain, createBoundary });
    }),
  });
  container.register(CHAT, {
    useFactory: once(
      (scope) =>
        new Chat({
          clock: scope.resolve(CLOCK),
          sessions: scope.resolve(SESSION_STORE),
          askGemini: scope.resolve(ASK_GEMINI),
          createId: randomUUID,
        }),
    ),
  });
  container.register(SEARCH_WEB, {
    useFactory: once((scope) => new SearchWeb({ clock: scope.resolve(CLOCK), askGemini: scope.resolve(ASK_GEMINI) })),
  });
}

function registerSurface(container: DependencyContainer, configuration: Configuration): void {
  container.register(SURFACE, { useFactory: once((scope) => createSurface(scope, configuration)) });
}

function createSurface(scope: DependencyContainer, configuration: Configuration): Surface {
  const { modelChain, workingDirectory, roots, stateDirectory } = configuration;
  const clock = scope.resolve(CLOCK);
  const answers = scope.resolve(ANSWER_STORE);
  const all = createTools({
    ...configuration,
    clock,
    answers,
    askGemini: scope.resolve(ASK_GEMINI),
    previewContext: scope.resolve(PREVIEW_CONTEXT),
    chat: scope.resolve(CHAT),
    searchWeb: scope.resolve(SEARCH_WEB),
    jobs: scope.resolve(JOBS),
    runPolicy: {
      allowYolo: configuration.allowYolo,
      resolveDirectory: (name) => resolve(workingDirectory, name ?? '.'),
    },
  });
  const tools = selectTools(all, { names: configuration.tools, readOnly: configuration.readOnly });
  const prompts = createPrompts({
    completePath: createPathCompleter({ workingDirectory, roots, privateDirectories: [stateDirectory], clock }),
    models: modelChain,
    toolNames: tools.map(({ name }) => name),
  });
  const health = scope.resolve(MODEL_HEALTH);
  const resources = createResources({
    sessions: scope.resolve(SESSION_STORE),
    answers,
    models: modelChain,
    reportHealth: () => health.report([...new Set([...modelChain, ...health.models])]),
    tools,
    prompts,
  });
  return { tools, prompts, resources };
}

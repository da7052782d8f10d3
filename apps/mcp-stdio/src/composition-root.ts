import 'reflect-metadata';
import { randomBytes, randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import {
  CliGeminiRunner,
  createPathCompleter,
  FileAnswerStore,
  FileContextResolver,
  FileSessionStore,
  type GeminiCli,
  type Quarantined,
  type RunReport,
  SystemClock,
} from '@gemini-mcp/adapters-node';
import {
  AskGemini,
  CallQueue,
  Chat,
  InMemorySessionStore,
  JobBoard,
  ModelHealth,
  PreviewContext,
  SearchWeb,
} from '@gemini-mcp/core';
import { createPrompts, createResources, createTools, type Surface, selectTools } from '@gemini-mcp/mcp';
import type { Configuration } from '@gemini-mcp/server';
import { type DependencyContainer, instanceCachingFactory as once, container as root } from 'tsyringe';
import {
  ANSWER_STORE,
  ASK_GEMINI,
  CHAT,
  CLOCK,
  CONTEXT_RESOLVER,
  GEMINI_RUNNER,
  JOBS,
  MODEL_HEALTH,
  PREVIEW_CONTEXT,
  SEARCH_WEB,
  SESSION_STORE,
  SURFACE,
} from './tokens.ts';

export type CompositionOptions = {
  readonly configuration: Configuration;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onCliFound: (cli: GeminiCli) => void;
  readonly onRun: (report: RunReport) => void;
  /** Told of a file of the state directory that could not be read and was put aside. */
  readonly onQuarantine: (quarantined: Quarantined) => void;
  /** Told of a fault in a job that nobody waits for. */
  readonly onJobError: (error: unknown) => void;
};

const dayMs = 86_400_000;

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
  const { configuration, environment, onCliFound, onRun } = options;
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
  container.register(GEMINI_RUNNER, {
    useFactory: once(
      (scope) =>
        new CliGeminiRunner({
          clock: scope.resolve(CLOCK),
          environment,
          runsDirectory: runsDirectoryOf(configuration),
          userDirectory: configuration.userDirectory,
          roots: [configuration.workingDirectory, ...configuration.roots],
          trustedDirectories: configuration.trustedDirectories,
          privateDirectories: [configuration.stateDirectory],
          onCliFound,
          onRun,
        }),
    ),
  });
  registerStores(container, options);
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

function createBoundary(): string {
  return randomBytes(9).toString('hex');
}

function createHandle(): string {
  return randomBytes(12).toString('hex');
}

import 'reflect-metadata';
import { randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { createPathCompleter, FileContextResolver, GeminiCliFinder, SystemClock } from '@gemini-mcp/adapters-node';
import { AskGemini, CallQueue, Chat, JobBoard, ModelHealth, PreviewContext, SearchWeb } from '@gemini-mcp/core';
import { createSurface, type Surface } from '@gemini-mcp/mcp';
import {
  type Configuration,
  createAnswerStore,
  createGeminiRunner,
  createHandle,
  createSessionStore,
  createWarmRunner,
  type Observers,
  type RunnerParts,
  type StoreParts,
} from '@gemini-mcp/server';
import { type DependencyContainer, instanceCachingFactory as once, container as root } from 'tsyringe';
import * as tokens from './tokens.ts';

export type CompositionOptions = {
  readonly configuration: Configuration;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly observers: Observers;
};

const createBoundary = (): string => randomBytes(9).toString('hex');

/** Says which adapter stands behind each port, and gives everything its settings. Nothing is made until it is asked for. */
export function composeServer(options: CompositionOptions): DependencyContainer {
  const container = root.createChildContainer();
  registerAdapters(container, options);
  registerUseCases(container, options);
  container.register(tokens.SURFACE, { useFactory: once((scope) => composeSurface(scope, options.configuration)) });
  return container;
}

function registerAdapters(container: DependencyContainer, options: CompositionOptions): void {
  const { configuration, environment, observers } = options;
  const { onCliFound } = observers;
  container.register(tokens.CLOCK, { useFactory: once(() => new SystemClock()) });
  container.register(tokens.CLI_FINDER, { useFactory: once(() => new GeminiCliFinder({ environment, onCliFound })) });
  const runnerParts = (scope: DependencyContainer): RunnerParts => ({
    ...options,
    clock: scope.resolve(tokens.CLOCK),
    finder: scope.resolve(tokens.CLI_FINDER),
  });
  container.register(tokens.WARM_RUNNER, { useFactory: once((scope) => createWarmRunner(runnerParts(scope))) });
  container.register(tokens.GEMINI_RUNNER, {
    useFactory: once((scope) => createGeminiRunner(runnerParts(scope), scope.resolve(tokens.WARM_RUNNER))),
  });
  const storeParts = (scope: DependencyContainer): StoreParts => ({ ...options, clock: scope.resolve(tokens.CLOCK) });
  container.register(tokens.SESSION_STORE, { useFactory: once((scope) => createSessionStore(storeParts(scope))) });
  container.register(tokens.ANSWER_STORE, { useFactory: once((scope) => createAnswerStore(storeParts(scope))) });
  container.register(tokens.CONTEXT_RESOLVER, {
    useFactory: once(
      (scope) =>
        new FileContextResolver({
          workingDirectory: configuration.workingDirectory,
          roots: configuration.roots,
          privateDirectories: [configuration.stateDirectory],
          allowSensitive: configuration.allowSensitive,
          clock: scope.resolve(tokens.CLOCK),
        }),
    ),
  });
}

function registerUseCases(
  container: DependencyContainer,
  { configuration, observers: { onJobError: onError } }: CompositionOptions,
): void {
  container.register(tokens.MODEL_HEALTH, {
    useFactory: once((scope) => new ModelHealth({ clock: scope.resolve(tokens.CLOCK) })),
  });
  container.register(tokens.JOBS, {
    useFactory: once((scope) => new JobBoard({ clock: scope.resolve(tokens.CLOCK), createHandle, onError })),
  });
  container.register(tokens.ASK_GEMINI, { useFactory: once((scope) => composeAskGemini(scope, configuration)) });
  container.register(tokens.PREVIEW_CONTEXT, {
    useFactory: once((scope) => {
      const { capabilities } = scope.resolve(tokens.GEMINI_RUNNER);
      const clock = scope.resolve(tokens.CLOCK);
      const resolver = scope.resolve(tokens.CONTEXT_RESOLVER);
      return new PreviewContext({
        clock,
        resolver,
        capabilities,
        modelChain: configuration.modelChain,
        createBoundary,
      });
    }),
  });
  container.register(tokens.CHAT, {
    useFactory: once((scope) => {
      const clock = scope.resolve(tokens.CLOCK);
      const sessions = scope.resolve(tokens.SESSION_STORE);
      return new Chat({ clock, sessions, askGemini: scope.resolve(tokens.ASK_GEMINI), createId: randomUUID });
    }),
  });
  container.register(tokens.SEARCH_WEB, {
    useFactory: once((scope) => {
      return new SearchWeb({ clock: scope.resolve(tokens.CLOCK), askGemini: scope.resolve(tokens.ASK_GEMINI) });
    }),
  });
}

function composeAskGemini(scope: DependencyContainer, { modelChain, maxRunning, maxQueued }: Configuration): AskGemini {
  const health = scope.resolve(tokens.MODEL_HEALTH);
  return new AskGemini({
    clock: scope.resolve(tokens.CLOCK),
    resolver: scope.resolve(tokens.CONTEXT_RESOLVER),
    runner: scope.resolve(tokens.GEMINI_RUNNER),
    modelChain,
    random: Math.random,
    createBoundary,
    queue: new CallQueue({ maxRunning, maxQueued }),
    onAttempt: (attempt) => health.record(attempt),
  });
}

function composeSurface(scope: DependencyContainer, configuration: Configuration): Surface {
  const { workingDirectory, roots, stateDirectory, tools: names, readOnly, allowYolo } = configuration;
  const clock = scope.resolve(tokens.CLOCK);
  return createSurface({
    ...configuration,
    clock,
    answers: scope.resolve(tokens.ANSWER_STORE),
    sessions: scope.resolve(tokens.SESSION_STORE),
    askGemini: scope.resolve(tokens.ASK_GEMINI),
    previewContext: scope.resolve(tokens.PREVIEW_CONTEXT),
    chat: scope.resolve(tokens.CHAT),
    searchWeb: scope.resolve(tokens.SEARCH_WEB),
    jobs: scope.resolve(tokens.JOBS),
    health: scope.resolve(tokens.MODEL_HEALTH),
    runPolicy: { allowYolo, resolveDirectory: (name) => resolve(workingDirectory, name ?? '.') },
    selection: { names, readOnly },
    completePath: createPathCompleter({ workingDirectory, roots, privateDirectories: [stateDirectory], clock }),
  });
}

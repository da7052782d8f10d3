import 'reflect-metadata';
import { resolve } from 'node:path';
import { createPathCompleter, GeminiCliFinder, SystemClock } from '@gemini-mcp/adapters-node';
import { CallQueue, JobBoard, ModelHealth } from '@gemini-mcp/core';
import { createSurface, type Surface } from '@gemini-mcp/mcp';
import {
  type Configuration,
  createAnswerStore,
  createContextResolver,
  createGeminiRunner,
  createHandle,
  createSessionStore,
  createUseCases,
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
    useFactory: once((scope) => createContextResolver(configuration, scope.resolve(tokens.CLOCK))),
  });
}

function registerUseCases(container: DependencyContainer, { configuration, observers }: CompositionOptions): void {
  const { maxRunning, maxQueued } = configuration;
  const { onJobError: onError } = observers;
  container.register(tokens.MODEL_HEALTH, {
    useFactory: once((scope) => new ModelHealth({ clock: scope.resolve(tokens.CLOCK) })),
  });
  container.register(tokens.JOBS, {
    useFactory: once((scope) => new JobBoard({ clock: scope.resolve(tokens.CLOCK), createHandle, onError })),
  });
  container.register(tokens.USE_CASES, {
    useFactory: once((scope) =>
      createUseCases({
        configuration,
        clock: scope.resolve(tokens.CLOCK),
        resolver: scope.resolve(tokens.CONTEXT_RESOLVER),
        runner: scope.resolve(tokens.GEMINI_RUNNER),
        sessions: scope.resolve(tokens.SESSION_STORE),
        queue: new CallQueue({ maxRunning, maxQueued }),
        health: scope.resolve(tokens.MODEL_HEALTH),
      }),
    ),
  });
}

function composeSurface(scope: DependencyContainer, configuration: Configuration): Surface {
  const { workingDirectory, roots, stateDirectory, tools: names, readOnly, allowYolo } = configuration;
  const clock = scope.resolve(tokens.CLOCK);
  return createSurface({
    ...configuration,
    ...scope.resolve(tokens.USE_CASES),
    clock,
    answers: scope.resolve(tokens.ANSWER_STORE),
    sessions: scope.resolve(tokens.SESSION_STORE),
    jobs: scope.resolve(tokens.JOBS),
    health: scope.resolve(tokens.MODEL_HEALTH),
    runPolicy: { allowYolo, resolveDirectory: (name) => resolve(workingDirectory, name ?? '.') },
    selection: { names, readOnly },
    completePath: createPathCompleter({ workingDirectory, roots, privateDirectories: [stateDirectory], clock }),
  });
}

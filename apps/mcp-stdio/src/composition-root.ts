import 'reflect-metadata';
import { parse, resolve } from 'node:path';
import { createPathCompleter, SystemClock } from '@gemini-mcp/adapters-node';
import { CallQueue, createNoFilesResolver, JobBoard, ModelHealth } from '@gemini-mcp/core';
import { createSurface, type Surface } from '@gemini-mcp/mcp';
import {
  type Configuration,
  clientFailureWords,
  createAnswerStore,
  createCliFinder,
  createContextResolver,
  createGeminiRunner,
  createHandle,
  createSessionStore,
  createUseCases,
  createWarmRunner,
  narrowConfiguration,
  type Observers,
  type Reach,
  type RunnerParts,
  reachOfServer,
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
  registerShared(container, options);
  registerReach(container, options, reachOfServer(options.configuration));
  return container;
}

/** What a client is offered that may reach other files than those of the server; all else is shared. */
export function composeReach(shared: DependencyContainer, options: CompositionOptions, reach: Reach): Surface {
  const container = shared.createChildContainer();
  shared.resolve(tokens.CLI_FINDER).exclude(reach.roots ?? []);
  registerReach(container, options, reach);
  return container.resolve(tokens.SURFACE);
}

function registerAdapters(container: DependencyContainer, options: CompositionOptions): void {
  const { configuration } = options;
  container.register(tokens.CLOCK, { useFactory: once(() => new SystemClock()) });
  container.register(tokens.CLI_FINDER, { useFactory: once(() => createCliFinder(options)) });
  const runnerParts = (scope: DependencyContainer): RunnerParts => ({
    ...options,
    // Where a client says what may be read, each of its requests brings those roots, and a directory has to lie below them.
    furtherRoots: configuration.noRootBecause === null ? [] : [parse(configuration.workingDirectory).root],
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
}

function registerShared(container: DependencyContainer, { configuration, observers }: CompositionOptions): void {
  const { maxRunning, maxQueued } = configuration;
  const { onJobError: onError } = observers;
  container.register(tokens.CALL_QUEUE, { useFactory: once(() => new CallQueue({ maxRunning, maxQueued })) });
  container.register(tokens.MODEL_HEALTH, {
    useFactory: once((scope) => new ModelHealth({ clock: scope.resolve(tokens.CLOCK) })),
  });
  container.register(tokens.JOBS, {
    useFactory: once((scope) => new JobBoard({ clock: scope.resolve(tokens.CLOCK), createHandle, onError })),
  });
}

/** The parts that reach for files, for one reach. */
function registerReach(container: DependencyContainer, options: CompositionOptions, reach: Reach): void {
  const configuration = narrowConfiguration(options.configuration, reach);
  container.register(tokens.CONTEXT_RESOLVER, {
    useFactory: once((scope) =>
      reach.noFilesText === null
        ? createContextResolver(configuration, scope.resolve(tokens.CLOCK))
        : createNoFilesResolver(reach.noFilesText),
    ),
  });
  container.register(tokens.USE_CASES, {
    useFactory: once((scope) =>
      createUseCases({
        configuration,
        clock: scope.resolve(tokens.CLOCK),
        resolver: scope.resolve(tokens.CONTEXT_RESOLVER),
        runner: scope.resolve(tokens.GEMINI_RUNNER),
        sessions: scope.resolve(tokens.SESSION_STORE),
        queue: scope.resolve(tokens.CALL_QUEUE),
        health: scope.resolve(tokens.MODEL_HEALTH),
      }),
    ),
  });
  container.register(tokens.SURFACE, { useFactory: once((scope) => composeSurface(scope, configuration, reach)) });
}

function composeSurface(scope: DependencyContainer, configuration: Configuration, reach: Reach): Surface {
  const { workingDirectory, roots, pinnedPaths: pinned, tools: names, readOnly, allowYolo } = configuration;
  const { mayReadFiles, noFilesText } = reach;
  const privateDirectories = [configuration.stateDirectory];
  const clock = scope.resolve(tokens.CLOCK);
  const completePath = createPathCompleter({ workingDirectory, roots, pinned, privateDirectories, clock });
  return createSurface({
    failureWords: clientFailureWords,
    ...configuration,
    ...scope.resolve(tokens.USE_CASES),
    clock,
    answers: scope.resolve(tokens.ANSWER_STORE),
    sessions: scope.resolve(tokens.SESSION_STORE),
    jobs: scope.resolve(tokens.JOBS),
    health: scope.resolve(tokens.MODEL_HEALTH),
    runPolicy: {
      allowYolo,
      mayReadFiles,
      ...(noFilesText !== null && { noFilesText }),
      ...(reach.roots !== null && { roots: reach.roots }),
      resolveDirectory: (name) => resolve(workingDirectory, name ?? '.'),
    },
    selection: { names, readOnly },
    completePath: mayReadFiles ? completePath : () => Promise.resolve([]),
  });
}

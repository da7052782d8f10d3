import 'reflect-metadata';
import { resolve } from 'node:path';
import { createPathCompleter, SystemClock } from '@gemini-mcp/adapters-node';
import { type AskGeminiOptions, CallQueue, createNoFilesResolver, JobBoard, ModelHealth } from '@gemini-mcp/core';
import { createSurface, type Surface } from '@gemini-mcp/mcp';
import {
  type Configuration,
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
  operatorFailureWords,
  type Reach,
  type RunnerParts,
  reachOfServer,
  realPathOf,
  type StoreParts,
} from '@gemini-mcp/server';
import { type DependencyContainer, instanceCachingFactory as once, container as root } from 'tsyringe';
import { Surfaces } from './reach/surfaces.ts';
import * as tokens from './tokens.ts';

export type CompositionOptions = {
  readonly configuration: Configuration;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly observers: Observers;
  /** Told of each call to Gemini that has ended. */
  readonly onAskEnd: NonNullable<AskGeminiOptions['onEnd']>;
  /** Directories that some principals have of their own. */
  readonly principalRoots: readonly string[];
  /** Whether more than one principal may come: then places for calls are kept for those who have none. */
  readonly hasSeveralOwners: boolean;
  /** Files on which access rests: a principal that may have others read must not get at the token of one that may do more. */
  readonly privateFiles: readonly string[];
};

/** What everything is resolved from. */
export type Composition = DependencyContainer;

/** Says which adapter implements each port, and gives everything its settings. Nothing is made until it is asked for. */
export function composeServer(options: CompositionOptions): Composition {
  const container = root.createChildContainer();
  registerRunners(container, options);
  registerShared(container, options);
  container.register(tokens.SURFACES, {
    useFactory: once((scope) => new Surfaces((reach) => composeReach(scope, options, reach).resolve(tokens.SURFACE))),
  });
  return container;
}

function registerRunners(container: DependencyContainer, options: CompositionOptions): void {
  const { principalRoots: furtherRoots } = options;
  container.register(tokens.CLOCK, { useFactory: once(() => new SystemClock()) });
  container.register(tokens.CLI_FINDER, { useFactory: once(() => createCliFinder({ ...options, furtherRoots })) });
  const parts = (scope: DependencyContainer): RunnerParts => ({
    ...options,
    furtherRoots,
    clock: scope.resolve(tokens.CLOCK),
    finder: scope.resolve(tokens.CLI_FINDER),
  });
  container.register(tokens.WARM_RUNNER, { useFactory: once((scope) => createWarmRunner(parts(scope))) });
  container.register(tokens.GEMINI_RUNNER, {
    useFactory: once((scope) => createGeminiRunner(parts(scope), scope.resolve(tokens.WARM_RUNNER))),
  });
}

/** What all principals share, and each of them is shown its own of. */
function registerShared(container: DependencyContainer, options: CompositionOptions): void {
  const { maxRunning, maxQueued } = options.configuration;
  const places = { maxRunning, maxQueued, hasSeveralOwners: options.hasSeveralOwners };
  const { onJobError: onError } = options.observers;
  const parts = (scope: DependencyContainer): StoreParts => ({ ...options, clock: scope.resolve(tokens.CLOCK) });
  container.register(tokens.SESSION_STORE, { useFactory: once((scope) => createSessionStore(parts(scope))) });
  container.register(tokens.ANSWER_STORE, { useFactory: once((scope) => createAnswerStore(parts(scope))) });
  container.register(tokens.CALL_QUEUE, { useFactory: once(() => new CallQueue(places)) });
  container.register(tokens.PREVIEW_QUEUE, { useFactory: once(() => new CallQueue(places)) });
  container.register(tokens.MODEL_HEALTH, {
    useFactory: once((scope) => new ModelHealth({ clock: scope.resolve(tokens.CLOCK) })),
  });
  container.register(tokens.JOBS, {
    useFactory: once((scope) => new JobBoard({ clock: scope.resolve(tokens.CLOCK), createHandle, onError })),
  });
}

/** The parts that reach for files, for one reach. */
function composeReach(shared: DependencyContainer, options: CompositionOptions, asked: Reach): DependencyContainer {
  const container = shared.createChildContainer();
  const isOfServer = asked.mayReadFiles && asked.roots === null;
  const reach = isOfServer ? reachOfServer(options.configuration) : asked;
  const configuration = narrowConfiguration(options.configuration, reach);
  container.register(tokens.CONTEXT_RESOLVER, {
    useFactory: once((scope) =>
      reach.mayReadFiles
        ? createContextResolver(configuration, scope.resolve(tokens.CLOCK), options.privateFiles)
        : createNoFilesResolver(reach.noFilesText ?? 'this token may read no files'),
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
        previewQueue: scope.resolve(tokens.PREVIEW_QUEUE),
        health: scope.resolve(tokens.MODEL_HEALTH),
        onAskEnd: options.onAskEnd,
      }),
    ),
  });
  container.register(tokens.SURFACE, {
    useFactory: once((scope) => composeSurface(scope, { ...options, configuration }, reach)),
  });
  return container;
}

function composeSurface(scope: DependencyContainer, options: CompositionOptions, reach: Reach): Surface {
  const { configuration, privateFiles } = options;
  const { mayReadFiles, noFilesText } = reach;
  const { workingDirectory, roots, pinnedPaths: pinned, stateDirectory, tools: names, readOnly } = configuration;
  const isOfServer = reach.roots === null;
  const clock = scope.resolve(tokens.CLOCK);
  const privateDirectories = [stateDirectory, ...privateFiles];
  const completePath = createPathCompleter({ workingDirectory, roots, pinned, privateDirectories, clock });
  const directories = [workingDirectory, ...roots, ...(isOfServer ? configuration.trustedDirectories : [])];
  return createSurface({
    failureWords: operatorFailureWords,
    ...configuration,
    ...scope.resolve(tokens.USE_CASES),
    clock,
    answers: scope.resolve(tokens.ANSWER_STORE),
    sessions: scope.resolve(tokens.SESSION_STORE),
    jobs: scope.resolve(tokens.JOBS),
    health: scope.resolve(tokens.MODEL_HEALTH),
    runPolicy: {
      // A principal that may do everything may read everything: no directories hold that back.
      allowYolo: configuration.allowYolo && isOfServer,
      mayReadFiles,
      ...(noFilesText !== null && { noFilesText }),
      // Also where they are those of the server: what other principals have of their own is not for everybody.
      roots: directories.map((directory) => realPathOf(configuration, directory)),
      resolveDirectory: (name) => resolve(workingDirectory, name ?? '.'),
    },
    selection: { names, readOnly },
    completePath: mayReadFiles ? completePath : () => Promise.resolve([]),
  });
}

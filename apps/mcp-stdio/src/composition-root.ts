import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CliGeminiRunner, FileContextResolver, type GeminiCli, SystemClock } from '@gemini-mcp/adapters-node';
import { AskGemini } from '@gemini-mcp/core';
import { createGeminiQueryTool } from '@gemini-mcp/mcp';
import { type DependencyContainer, instanceCachingFactory as once, container as root } from 'tsyringe';
import type { Configuration } from './configuration.ts';
import { ASK_GEMINI, CLOCK, CONTEXT_RESOLVER, GEMINI_RUNNER, TOOLS } from './tokens.ts';

export type CompositionOptions = {
  readonly configuration: Configuration;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onCliFound: (cli: GeminiCli) => void;
};

/** Says which adapter stands behind each port, and gives everything its settings. Nothing is made until it is asked for. */
export function composeServer({ configuration, environment, onCliFound }: CompositionOptions): DependencyContainer {
  const container = root.createChildContainer();
  container.register(CLOCK, { useFactory: once(() => new SystemClock()) });
  container.register(CONTEXT_RESOLVER, {
    useFactory: once(
      (scope) =>
        new FileContextResolver({
          workingDirectory: configuration.workingDirectory,
          roots: configuration.roots,
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
          onCliFound,
        }),
    ),
  });
  container.register(ASK_GEMINI, {
    useFactory: once(
      (scope) =>
        new AskGemini({
          clock: scope.resolve(CLOCK),
          resolver: scope.resolve(CONTEXT_RESOLVER),
          runner: scope.resolve(GEMINI_RUNNER),
          modelChain: configuration.modelChain,
          random: Math.random,
          createBoundary: () => randomBytes(9).toString('hex'),
        }),
    ),
  });
  container.register(TOOLS, {
    useFactory: once((scope) => [
      createGeminiQueryTool({ askGemini: scope.resolve(ASK_GEMINI), modelChain: configuration.modelChain }),
    ]),
  });
  return container;
}

/** Holds one private directory a run. */
export function runsDirectoryOf({ stateDirectory }: Configuration): string {
  return join(stateDirectory, 'runs');
}

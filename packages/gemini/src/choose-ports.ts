import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { FileContextResolver, SystemClock } from '@gemini-mcp/adapters-node';
import type { ContextResolver, GeminiRunner, RunnerPreference } from '@gemini-mcp/core';
import { createNoFilesResolver } from '@gemini-mcp/core/internal';
import { EmbeddedRunner } from './embedded-runner.ts';
import { describeMissingRoot, type GeminiPlace } from './find-place.ts';
import type { GeminiOptions } from './gemini-options.ts';

export type EmbeddedRunnerChoice = {
  readonly runner: GeminiRunner;
  /** Ends the processes of a runner of ours; one that the options bring is its owner's to close. */
  readonly close: () => Promise<void>;
};

export function chooseEmbeddedRunner(options: GeminiOptions, place: GeminiPlace): EmbeddedRunnerChoice {
  const { runner, backend, clock, apiKey, allowsGoogleLogs } = options;
  if (runner !== undefined) {
    if (backend !== undefined) {
      throw new Error('createGemini takes a `backend` or a `runner`, not both: all calls go to the runner.');
    }
    return { runner, close: () => Promise.resolve() };
  }
  const own = new EmbeddedRunner({
    place,
    preference: parseBackend(backend),
    clock,
    apiKey: apiKey ?? null,
    allowsGoogleLogs,
  });
  return { runner: own, close: () => own.close() };
}

const backends: readonly RunnerPreference[] = ['auto', 'api', 'warm', 'headless'];

/** A program without types may give any value. */
function parseBackend(backend: RunnerPreference = 'auto'): RunnerPreference {
  if (!backends.includes(backend)) {
    throw new TypeError(
      `createGemini has no backend ${JSON.stringify(backend)}. The backends are: ${backends.join(', ')}.`,
    );
  }
  return backend;
}

export function chooseResolver(options: GeminiOptions, place: GeminiPlace): ContextResolver {
  const { resolver, allowSensitive = false, clock = new SystemClock() } = options;
  const { workingDirectory, roots, stateDirectory, noRootBecause } = place;
  if (resolver !== undefined) {
    return resolver;
  }
  return noRootBecause === null
    ? new FileContextResolver({ workingDirectory, roots, privateDirectories: [stateDirectory], allowSensitive, clock })
    : createNoFilesResolver(describeMissingRoot(noRootBecause));
}

/** Whether a name belongs to a file, for our own resolver. A foreign one has its own names. */
export function chooseFileTest(
  { resolver }: GeminiOptions,
  { workingDirectory, noRootBecause }: GeminiPlace,
): (path: string) => Promise<boolean> {
  if (resolver !== undefined || noRootBecause !== null) {
    return () => Promise.resolve(false);
  }
  return (path) =>
    stat(resolve(workingDirectory, path)).then(
      (found) => found.isFile(),
      () => false,
    );
}

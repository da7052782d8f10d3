import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ContextResolver, createNoFilesResolver, type GeminiRunner } from '@gemini-mcp/core';
import { SystemClock } from '../clock/system-clock.ts';
import { FileContextResolver } from '../files/file-context-resolver.ts';
import { EmbeddedRunner } from './embedded-runner.ts';
import { describeNoRoot, type GeminiPlace } from './find-place.ts';
import type { GeminiOptions } from './gemini-options.ts';

export type EmbeddedRunnerChoice = {
  readonly runner: GeminiRunner;
  /** Ends the processes of a runner of ours; one that the options bring is its owner's to close. */
  readonly close: () => Promise<void>;
};

export function chooseEmbeddedRunner(options: GeminiOptions, place: GeminiPlace): EmbeddedRunnerChoice {
  const { runner, clock, apiKey, allowsGoogleLogs } = options;
  if (runner !== undefined) {
    return { runner, close: () => Promise.resolve() };
  }
  const own = new EmbeddedRunner({ place, clock, apiKey: apiKey ?? null, allowsGoogleLogs });
  return { runner: own, close: () => own.close() };
}

export function chooseResolver(options: GeminiOptions, place: GeminiPlace): ContextResolver {
  const { resolver, allowSensitive = false, clock = new SystemClock() } = options;
  const { workingDirectory, roots, stateDirectory, noRootBecause } = place;
  if (resolver !== undefined) {
    return resolver;
  }
  return noRootBecause === null
    ? new FileContextResolver({ workingDirectory, roots, privateDirectories: [stateDirectory], allowSensitive, clock })
    : createNoFilesResolver(describeNoRoot(noRootBecause));
}

/** Whether a name is that of a file, where the resolver is ours. What a foreign one reads has names of its own. */
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

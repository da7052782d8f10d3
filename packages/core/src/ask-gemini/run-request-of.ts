import type { InlineMedia } from '../ports/context-resolver.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { RunNeeds, RunRequest } from '../ports/gemini-runner/run-request.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import type { AskRequest } from './ask-request.ts';

export type MessageToRun = {
  readonly message: string;
  readonly media: readonly InlineMedia[];
  readonly deadlineAtMs: number;
};

/** The runner's request, without the model. Missing parts are omitted: a runner may refuse an unsupported part even if it is empty. */
export function runRequestOf(
  {
    owner,
    history = [],
    settings,
    directory,
    mayContinue = false,
    answerSchema,
    urls = [],
    toolProviders = [],
    trace,
  }: AskRequest,
  { message, media, deadlineAtMs }: MessageToRun,
): Omit<RunRequest, 'model'> {
  return {
    input: message,
    deadlineAtMs,
    ...(owner !== undefined && { owner }),
    ...(history.length > 0 && { history }),
    ...(media.length > 0 && { media }),
    ...(settings !== undefined && { settings }),
    ...(directory !== undefined && { directory }),
    ...(mayContinue && { mayContinue }),
    ...(answerSchema !== undefined && { answerSchema }),
    ...(urls.length > 0 && { urls }),
    ...(toolProviders.length > 0 && { toolProviders }),
    ...(trace !== undefined && { trace }),
  };
}

/** The capabilities for a request with these needs: those of one runner, even if it stands for several. */
export function capabilitiesFor(
  runner: GeminiRunner,
  { history, settings, directory, answerSchema, urls, toolProviders }: RunNeeds,
): RunnerCapabilities {
  const needs = {
    ...(history !== undefined && { history }),
    ...(settings !== undefined && { settings }),
    ...(directory !== undefined && { directory }),
    ...(answerSchema !== undefined && { answerSchema }),
    ...(urls !== undefined && { urls }),
    ...(toolProviders !== undefined && { toolProviders }),
  };
  return runner.capabilitiesFor?.(needs) ?? runner.capabilities;
}

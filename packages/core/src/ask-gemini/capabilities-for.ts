import type { GeminiRunner, RunNeeds, RunnerCapabilities } from '../ports/gemini-runner.ts';

/** What carries a request that needs this: those of one runner, also where that one stands for several. */
export function capabilitiesFor(
  runner: GeminiRunner,
  { history, settings, directory, answerSchema, urls, toolSources }: RunNeeds,
): RunnerCapabilities {
  const needs = {
    ...(history !== undefined && { history }),
    ...(settings !== undefined && { settings }),
    ...(directory !== undefined && { directory }),
    ...(answerSchema !== undefined && { answerSchema }),
    ...(urls !== undefined && { urls }),
    ...(toolSources !== undefined && { toolSources }),
  };
  return runner.capabilitiesFor?.(needs) ?? runner.capabilities;
}

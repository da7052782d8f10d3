import type { RunEvent } from '@gemini-mcp/core';
import type { GeminiCliFinder } from './gemini-cli-finder.ts';
import type { GeminiCli } from './gemini-cli-location.ts';
import { notStarted, outcomeWithoutRun } from './outcome-without-run.ts';
import type { RunLimit } from './run-limit.ts';

/** A run with the CLI that was found, or the outcome of one for which there is none. */
export async function* withGeminiCli(
  finder: GeminiCliFinder,
  run: (cli: GeminiCli) => AsyncIterable<RunEvent>,
  limit: RunLimit,
): AsyncGenerator<RunEvent> {
  const location = await finder.find(limit.signal);
  if (location === null) {
    yield outcomeWithoutRun({ termination: limit.termination });
    return;
  }
  if (!location.found) {
    yield notStarted(location.isShortage ? 'resources-exhausted' : 'cli-missing', location.detail);
    return;
  }
  yield* run(location.cli);
}

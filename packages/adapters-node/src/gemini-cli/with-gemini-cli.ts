import type { RunEvent } from '@gemini-mcp/core';
import { failRun } from './fail-run.ts';
import type { GeminiCliFinder } from './finding/gemini-cli-finder.ts';
import type { GeminiCli } from './finding/gemini-cli-location.ts';
import type { RunLimit } from './run-limit.ts';

/** A run with the CLI that was found, or the end of one for which there is none. */
export async function* withGeminiCli(
  finder: GeminiCliFinder,
  run: (cli: GeminiCli) => AsyncIterable<RunEvent>,
  limit: RunLimit,
): AsyncGenerator<RunEvent> {
  const location = await finder.find(limit.signal);
  if (location === null) {
    yield failRun(limit.failure);
    return;
  }
  if (!location.found) {
    yield failRun({ kind: location.isShortage ? 'resources-exhausted' : 'cli-missing', detail: location.detail });
    return;
  }
  yield* run(location.cli);
}

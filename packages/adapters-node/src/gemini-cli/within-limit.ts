import type { RunEvent } from '@gemini-mcp/core';
import { describeShortage } from '../process/system-shortage.ts';
import { notStarted } from './outcome-without-run.ts';
import { RunLimit, type RunLimitOptions } from './run-limit.ts';

/**
 * A run inside its deadline. The outcome waits until everything of the run is gone, the timer of the limit among it. Where the
 * system has run out of something on the way, that is the outcome.
 */
export async function* withinLimit(
  options: RunLimitOptions,
  run: (limit: RunLimit) => AsyncIterable<RunEvent>,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  const limit = new RunLimit(options, signal);
  let outcome: RunEvent | undefined;
  try {
    for await (const event of run(limit)) {
      if (event.type === 'outcome') {
        outcome = event;
      } else {
        yield event;
      }
    }
  } catch (error) {
    const shortage = describeShortage(error);
    if (shortage === null) {
      throw error;
    }
    outcome = notStarted('resources-exhausted', shortage);
  } finally {
    await limit.release();
  }
  if (outcome !== undefined) {
    yield outcome;
  }
}

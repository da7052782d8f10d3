import type { RunEnd, RunEvent } from '@gemini-mcp/core';
import { describeShortage } from '../process/system-shortage.ts';
import { failRun } from './fail-run.ts';
import { RunLimit, type RunLimitOptions } from './run-limit.ts';

/**
 * A run inside its deadline. Its end waits until everything of the run is gone, the timer of the limit among it. Where the
 * system has run out of something on the way, that is the end.
 */
export async function* withinLimit(
  options: RunLimitOptions,
  run: (limit: RunLimit) => AsyncIterable<RunEvent>,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  const limit = new RunLimit(options, signal);
  let end: RunEnd | undefined;
  try {
    for await (const event of run(limit)) {
      if (event.type === 'answer' || event.type === 'failure') {
        end = event;
      } else {
        yield event;
      }
    }
  } catch (error) {
    const shortage = describeShortage(error);
    if (shortage === null) {
      throw error;
    }
    end = failRun({ kind: 'resources-exhausted', detail: shortage });
  } finally {
    await limit.release();
  }
  if (end !== undefined) {
    yield end;
  }
}

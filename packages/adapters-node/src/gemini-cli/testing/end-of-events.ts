import type { GeminiFailure, RunEnd, RunEvent } from '@gemini-mcp/core';

/** The end of a run, which has to be its last event. */
export function endOfEvents(events: readonly RunEvent[]): RunEnd {
  const last = events.at(-1);
  if (last?.type !== 'answer' && last?.type !== 'failure') {
    throw new Error('The last event is not the end.');
  }
  return last;
}

/** The failure of a run; null for an answer. */
export function failureOfEvents(events: readonly RunEvent[]): GeminiFailure | null {
  const end = endOfEvents(events);
  return end.type === 'failure' ? end.failure : null;
}

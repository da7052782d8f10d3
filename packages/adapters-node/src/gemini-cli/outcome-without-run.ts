import type { RunEvent, RunOutcome } from '@gemini-mcp/core';
import { describeShortage } from '../process/system-shortage.ts';

type Known = Pick<RunOutcome, 'termination'> & Partial<Pick<RunOutcome, 'refusal' | 'unsupported' | 'startError'>>;

type OutcomeEvent = Extract<RunEvent, { readonly type: 'outcome' }>;

type StartError = NonNullable<RunOutcome['startError']>;

/** The outcome of a request that was never sent. */
export function outcomeWithoutRun(known: Known): OutcomeEvent {
  return {
    type: 'outcome',
    outcome: {
      exitCode: null,
      signal: null,
      completion: 'missing',
      sawEvents: false,
      answered: false,
      httpStatus: null,
      messages: [],
      stderr: '',
      strayOutput: '',
      ...known,
    },
  };
}

/** The outcome of a request for which the system, or its files, did not give what a run needs. */
export function notStartedFor(error: unknown): RunEvent {
  const shortage = describeShortage(error);
  return shortage === null ? notStarted('workspace', wordsOf(error)) : notStarted('resources-exhausted', shortage);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The outcome of a request for which no process could be started. `detail` says why, in our words. */
export function notStarted(code: StartError['code'], detail: string): RunEvent {
  return outcomeWithoutRun({ termination: 'not-started', startError: { code, detail } });
}

import type { InputRefusal, RunEvent, RunnerCapabilities, RunOutcome } from '@gemini-mcp/core';

type Known = Pick<RunOutcome, 'termination'> & Partial<Pick<RunOutcome, 'refusal' | 'startError'>>;

type StartError = NonNullable<RunOutcome['startError']>;

/** The outcome of a request that was never sent. */
export function outcomeWithoutRun(known: Known): RunEvent {
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

/** The outcome of a request for which no process could be started. `detail` says why, in our words. */
export function notStarted(code: StartError['code'], detail: string): RunEvent {
  return outcomeWithoutRun({ termination: 'not-started', startError: { code, detail } });
}

/** Says by how much an input is over what can be carried, null when it is not. */
export function refuseInput(
  input: string,
  { maxInputBytes, maxInputCharacters }: RunnerCapabilities,
): InputRefusal | null {
  if (input.length > maxInputCharacters) {
    return { measure: 'characters', actual: input.length, limit: maxInputCharacters };
  }
  const bytes = Buffer.byteLength(input, 'utf8');
  return bytes > maxInputBytes ? { measure: 'bytes', actual: bytes, limit: maxInputBytes } : null;
}

import type { RunOutcome } from '../failure/run-outcome.ts';

/** How a run ends that exited by itself and answered, with nothing said beside the answer. Spread it to say what differs. */
export const answeredOutcome: RunOutcome = {
  termination: 'exited',
  exitCode: 0,
  signal: null,
  completion: 'success',
  sawEvents: true,
  answered: true,
  httpStatus: null,
  messages: [],
  stderr: '',
  strayOutput: '',
};

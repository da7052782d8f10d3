import type { RunRequest } from '@gemini-mcp/core';
import type { RunnerMutant } from './runner-mutant.ts';

/** First reports a wait. */
function waitingFor(say: (request: RunRequest) => string): RunnerMutant['mutate'] {
  return (right) => ({
    run: async function* run(request, signal) {
      yield { type: 'status', text: say(request) };
      yield* right.run(request, signal);
    },
  });
}

/** Mutants of waits and their reports. */
export const runnerStatusMutants: readonly RunnerMutant[] = [
  {
    name: 'status-with-message',
    wrong: 'quotes the message in the report of a wait',
    mutate: waitingFor(({ input }) => `Waiting to ask: ${input}`),
  },
];

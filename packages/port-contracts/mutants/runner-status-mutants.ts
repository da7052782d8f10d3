import type { RunRequest } from '@gemini-mcp/core';
import type { RunnerMutant } from './runner-mutant.ts';

/** Says first what it waits for. */
function waitingFor(say: (request: RunRequest) => string): RunnerMutant['mutate'] {
  return (right) => ({
    run: async function* run(request, signal) {
      yield { type: 'status', text: say(request) };
      yield* right.run(request, signal);
    },
  });
}

/** What they tell of what a run waits for, when, and how. */
export const runnerStatusMutants: readonly RunnerMutant[] = [
  {
    name: 'status-with-message',
    wrong: 'quotes the message in what it waits for',
    mutate: waitingFor(({ input }) => `Waiting to ask: ${input}`),
  },
];

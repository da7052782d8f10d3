import type { RunRequest } from '@gemini-mcp/core';
import { changingEnds, changingEvents, type RunnerMutant } from './runner-mutant.ts';

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
    name: 'status-amid-text',
    wrong: 'tells what it waits for between pieces of text',
    mutate: changingEvents((event) =>
      event.type === 'text' ? [event, { type: 'status', text: 'Waiting for more.' }] : [event],
    ),
  },
  {
    name: 'status-after-end',
    wrong: 'tells what it waited for after the end',
    mutate: changingEnds((end) => [end, { type: 'status', text: 'Cleaning up.' }]),
  },
  { name: 'blank-status', wrong: 'tells that it waits, and not for what', mutate: waitingFor(() => '') },
  {
    name: 'status-of-two-lines',
    wrong: 'tells in two lines what it waits for',
    mutate: waitingFor(() => 'Fetching a program.\nThis takes minutes.'),
  },
  {
    name: 'status-with-message',
    wrong: 'quotes the message in what it waits for',
    mutate: waitingFor(({ input }) => `Waiting to ask: ${input}`),
  },
];

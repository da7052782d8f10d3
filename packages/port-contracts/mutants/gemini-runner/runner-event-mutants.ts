import type { RunEvent } from '@gemini-mcp/core';
import type { RunnerMutant } from './runner-mutant.ts';
import { runnerStatusMutants } from './runner-status-mutants.ts';

/** Mutants of events: which, when, and how often. */
export const runnerEventMutants: readonly RunnerMutant[] = [
  ...runnerStatusMutants,
  {
    name: 'loses-text-before-failure',
    wrong: 'withholds the text of a run that fails',
    hangs: true,
    mutate: (right) => ({
      run: async function* run(request, signal) {
        const held: RunEvent[] = [];
        for await (const event of right.run(request, signal)) {
          held.push(event);
          if (event.type === 'failure') {
            yield event;
            return;
          }
          if (event.type !== 'text' || held.length > 1) {
            yield* held.splice(0);
          }
        }
      },
    }),
  },
  {
    name: 'throws-at-once',
    wrong: 'throws for a refused request when it is called',
    mutate: (right) => ({
      run: (request, signal) => {
        if (request.input.length > right.capabilities.maxInputCharacters) {
          throw new RangeError('too large');
        }
        return right.run(request, signal);
      },
    }),
  },
];

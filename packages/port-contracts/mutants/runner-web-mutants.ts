import type { RunEvent } from '@gemini-mcp/core';
import { changingEvents, type RunnerMutant } from './runner-mutant.ts';

/** Tells what the run before told, where there was one. */
const groundingOfBefore: RunnerMutant['mutate'] = (right, clock) => {
  let before: RunEvent | null = null;
  return changingEvents((event) => {
    if (event.type !== 'grounding') {
      return [event];
    }
    const told = before ?? event;
    before = event;
    return [told];
  })(right, clock);
};

/** Tells with the usage of a run what became of the pages of the last one that named some. */
const pagesOfBefore: RunnerMutant['mutate'] = (right, clock) => {
  let before: readonly RunEvent[] = [];
  return changingEvents((event, { urls }) => {
    before = event.type === 'pages' ? [event] : before;
    return event.type === 'usage' && urls === undefined ? [event, ...before] : [event];
  })(right, clock);
};

/** What they tell of searches and of pages of the web. */
export const runnerWebMutants: readonly RunnerMutant[] = [
  {
    name: 'hides-searches',
    wrong: 'does not tell that the tool has searched',
    mutate: changingEvents((event) => (event.type === 'tool' ? [] : [event])),
  },
  {
    name: 'grounding-of-another-run',
    wrong: 'tells what the search of the run before found',
    mutate: groundingOfBefore,
  },
  {
    name: 'pages-of-another-run',
    wrong: 'tells what became of the pages of the run before',
    mutate: pagesOfBefore,
  },
];

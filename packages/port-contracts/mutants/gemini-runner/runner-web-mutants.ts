import type { RunEvent } from '@gemini-mcp/core';
import { changingEvents, type RunnerMutant } from './runner-mutant.ts';

/** Repeats the report of the run before, if any. */
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

/** Reports with the usage of a run the pages of the last run that named some. */
const pagesOfBefore: RunnerMutant['mutate'] = (right, clock) => {
  let before: readonly RunEvent[] = [];
  return changingEvents((event, { urls }) => {
    before = event.type === 'pages' ? [event] : before;
    return event.type === 'usage' && urls === undefined ? [event, ...before] : [event];
  })(right, clock);
};

/** Mutants of searches and web pages. */
export const runnerWebMutants: readonly RunnerMutant[] = [
  {
    name: 'hides-searches',
    wrong: 'does not report that the tool has searched',
    mutate: changingEvents((event) => (event.type === 'tool' ? [] : [event])),
  },
  {
    name: 'grounding-of-another-run',
    wrong: 'reports the search results of the run before',
    mutate: groundingOfBefore,
  },
  {
    name: 'pages-of-another-run',
    wrong: 'reports the pages of the run before',
    mutate: pagesOfBefore,
  },
];

import { changingSettings, type RunnerMutant } from './runner-mutant.ts';

/** What they let Gemini do. */
export const runnerToolMutants: readonly RunnerMutant[] = [
  {
    name: 'allows-everything',
    wrong: 'lets Gemini do everything where it may search',
    mutate: changingSettings(({ tools }) => ({ tools: tools === 'web-search' ? 'everything' : tools })),
  },
  {
    name: 'always-searches',
    wrong: 'lets Gemini search the web where it may use no tools',
    mutate: changingSettings(({ tools }) => ({ tools: tools === 'none' ? 'web-search' : tools })),
  },
  {
    name: 'ignores-sandbox',
    wrong: 'runs outside of a sandbox',
    mutate: changingSettings(() => ({ sandbox: false })),
  },
];

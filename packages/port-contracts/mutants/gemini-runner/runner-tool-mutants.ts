import { changingSettings, type RunnerMutant } from './runner-mutant.ts';

/** Mutants of Gemini's own tools. */
export const runnerToolMutants: readonly RunnerMutant[] = [
  {
    name: 'allows-everything',
    wrong: 'allows Gemini every tool if it may search',
    mutate: changingSettings(({ tools }) => ({ tools: tools === 'web-search' ? 'everything' : tools })),
  },
  {
    name: 'always-searches',
    wrong: 'lets Gemini search the web although no tools are allowed',
    mutate: changingSettings(({ tools }) => ({ tools: tools === 'none' ? 'web-search' : tools })),
  },
  {
    name: 'ignores-sandbox',
    wrong: 'runs outside of a sandbox',
    mutate: changingSettings(() => ({ sandbox: false })),
  },
];

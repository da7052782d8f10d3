import { changingInputs, type RunnerMutant } from './runner-mutant.ts';

/** How they change the text of a message, or of an answer. */
export const runnerTextMutants: readonly RunnerMutant[] = [
  {
    name: 'reads-options',
    wrong: 'drops what looks like an option at the beginning of a message',
    mutate: changingInputs((text) => text.replace(/^--\S+/, '')),
  },
  {
    name: 'unescapes',
    wrong: 'takes a backslash before @ away',
    mutate: changingInputs((text) => text.replaceAll('\\@', '@')),
  },
  {
    name: 'adds-header',
    wrong: 'puts a line of its own before a message',
    mutate: changingInputs((text) => `The user says:\n${text}`),
  },
];

import { changingInputs, type RunnerMutant } from './runner-mutant.ts';

/** Mutants that change the text of a message or an answer. */
export const runnerTextMutants: readonly RunnerMutant[] = [
  {
    name: 'reads-options',
    wrong: 'drops a beginning of a message that looks like an option',
    mutate: changingInputs((text) => text.replace(/^--\S+/, '')),
  },
  {
    name: 'unescapes',
    wrong: 'removes a backslash before @',
    mutate: changingInputs((text) => text.replaceAll('\\@', '@')),
  },
  {
    name: 'adds-header',
    wrong: 'adds a line of its own to a message',
    mutate: changingInputs((text) => `The user says:\n${text}`),
  },
];

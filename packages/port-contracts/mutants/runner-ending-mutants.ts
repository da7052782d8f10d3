import type { RunEnd } from '@gemini-mcp/core';
import { changingEnds, changingFailures, complete, type RunnerMutant } from './runner-mutant.ts';

type Answer = Extract<RunEnd, { type: 'answer' }>;

function changingAnswers(change: (answer: Answer, text: string) => RunEnd): RunnerMutant['mutate'] {
  return changingEnds((end, text) => [end.type === 'answer' ? change(end, text) : end]);
}

/** What they make of the way in which the model ended its answer. */
export const runnerEndingMutants: readonly RunnerMutant[] = [
  {
    name: 'no-ending',
    wrong: 'does not say how the model ended its answer, and was told',
    mutate: changingAnswers((answer) => ({ ...answer, ending: null })),
  },
  {
    name: 'no-model-version',
    wrong: 'does not say which model answered, and was told',
    mutate: changingAnswers(({ ending }) => ({ type: 'answer', ending })),
  },
  {
    name: 'prompt-as-answer',
    wrong: 'says that the answer was blocked where the prompt was',
    mutate: changingFailures((failure) => (failure.kind === 'blocked' ? { ...failure, what: 'answer' } : failure)),
  },
  {
    name: 'malformed-as-answer',
    wrong: 'takes the text before a call that cannot be read for an answer',
    mutate: changingEnds((end, text) => [
      end.type === 'failure' &&
      end.failure.kind === 'malformed-output' &&
      /CALL/.test(end.failure.excerpt) &&
      text !== ''
        ? complete
        : end,
    ]),
  },
  {
    name: 'cut-as-answer',
    wrong: 'takes the text before a connection broke for an answer',
    mutate: changingEnds((end, text) => [
      end.type === 'failure' && end.failure.kind === 'network' && text !== '' ? complete : end,
    ]),
  },
  {
    name: 'blank-as-answer',
    wrong: 'takes blanks alone for an answer',
    mutate: changingEnds((end, text) => [
      end.type === 'failure' && end.failure.kind === 'empty-answer' && text !== '' ? complete : end,
    ]),
  },
];

import type { RunEnd } from '@gemini-mcp/core';
import { changingEnds, changingFailures, complete, type RunnerMutant } from './runner-mutant.ts';

type Answer = Extract<RunEnd, { type: 'answer' }>;

function changingAnswers(change: (answer: Answer, text: string) => RunEnd): RunnerMutant['mutate'] {
  return changingEnds((end, text) => [end.type === 'answer' ? change(end, text) : end]);
}

/** Mutants of how the model ended its answer. */
export const runnerEndingMutants: readonly RunnerMutant[] = [
  {
    name: 'no-ending',
    wrong: 'does not report how the model ended its answer',
    mutate: changingAnswers((answer) => ({ ...answer, ending: null })),
  },
  {
    name: 'no-model-version',
    wrong: 'does not report which model answered',
    mutate: changingAnswers(({ ending }) => ({ type: 'answer', ending })),
  },
  {
    name: 'prompt-as-answer',
    wrong: 'reports a blocked prompt as a blocked answer',
    mutate: changingFailures((failure) => (failure.kind === 'blocked' ? { ...failure, what: 'answer' } : failure)),
  },
  {
    name: 'malformed-as-answer',
    wrong: 'takes the text before an unreadable call for an answer',
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
    wrong: 'takes the text before a broken connection for an answer',
    mutate: changingEnds((end, text) => [
      end.type === 'failure' && end.failure.kind === 'network' && text !== '' ? complete : end,
    ]),
  },
  {
    name: 'blank-as-answer',
    wrong: 'takes white space for an answer',
    mutate: changingEnds((end, text) => [
      end.type === 'failure' && end.failure.kind === 'empty-answer' && text !== '' ? complete : end,
    ]),
  },
];

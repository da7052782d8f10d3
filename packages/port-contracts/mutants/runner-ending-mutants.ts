import type { RunEnd } from '@gemini-mcp/core';
import { changingEnds, changingFailures, complete, failed, type RunnerMutant } from './runner-mutant.ts';

type Answer = Extract<RunEnd, { type: 'answer' }>;

function changingAnswers(change: (answer: Answer, text: string) => RunEnd): RunnerMutant['mutate'] {
  return changingEnds((end, text) => [end.type === 'answer' ? change(end, text) : end]);
}

/** What they make of the way in which the model ended its answer. */
export const runnerEndingMutants: readonly RunnerMutant[] = [
  {
    name: 'limit-as-complete',
    wrong: 'calls an answer complete that was cut at the output limit',
    mutate: changingAnswers((answer) =>
      answer.ending?.type === 'output-limit' ? { ...answer, ending: { type: 'complete' } } : answer,
    ),
  },
  {
    name: 'limit-as-failure',
    wrong: 'takes an answer that was cut at the output limit for none',
    mutate: changingAnswers((answer) =>
      answer.ending?.type === 'output-limit' ? failed({ kind: 'malformed-output', excerpt: 'MAX_TOKENS' }) : answer,
    ),
  },
  {
    name: 'unknown-as-complete',
    wrong: 'calls an answer complete that ended for a reason that it does not know',
    mutate: changingAnswers((answer) =>
      answer.ending?.type === 'unknown' ? { ...answer, ending: { type: 'complete' } } : answer,
    ),
  },
  {
    name: 'unknown-as-failure',
    wrong: 'takes an answer that ended for a reason that it does not know for none',
    mutate: changingAnswers((answer) =>
      answer.ending?.type === 'unknown' ? failed({ kind: 'malformed-output', excerpt: answer.ending.reason }) : answer,
    ),
  },
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
    name: 'block-as-answer',
    wrong: 'takes the text before a block for an answer',
    mutate: changingEnds((end, text) => [
      end.type === 'failure' && end.failure.kind === 'blocked' && text !== '' ? complete : end,
    ]),
  },
  {
    name: 'block-as-empty',
    wrong: 'calls a blocked answer an empty one',
    mutate: changingFailures((failure) =>
      failure.kind === 'blocked' ? { kind: 'empty-answer', excerpt: failure.excerpt } : failure,
    ),
  },
  {
    name: 'prompt-as-answer',
    wrong: 'says that the answer was blocked where the prompt was',
    mutate: changingFailures((failure) => (failure.kind === 'blocked' ? { ...failure, what: 'answer' } : failure)),
  },
  {
    name: 'answer-as-prompt',
    wrong: 'says that the prompt was blocked where the answer was',
    mutate: changingFailures((failure) => (failure.kind === 'blocked' ? { ...failure, what: 'prompt' } : failure)),
  },
  {
    name: 'block-without-reason',
    wrong: 'does not say why an answer was blocked',
    mutate: changingFailures((failure) => (failure.kind === 'blocked' ? { ...failure, excerpt: '' } : failure)),
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
    name: 'unfinished-as-answer',
    wrong: 'takes text that ended without a reason for an answer',
    mutate: changingEnds((end, text) => [
      end.type === 'failure' &&
      end.failure.kind === 'malformed-output' &&
      !/CALL/.test(end.failure.excerpt) &&
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
    name: 'empty-as-answer',
    wrong: 'takes nothing for an answer',
    mutate: changingEnds((end, text) => [
      end.type === 'failure' && end.failure.kind === 'empty-answer' && text === '' ? complete : end,
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

import type { ApprovalOutcome, Approver } from '@gemini-mcp/core';
import { type ApproverMutant, asking, telling } from './approver-mutant.ts';

const consent: ApprovalOutcome = { type: 'answered', answer: 'once' };

function insteadOf(reason: string, told: ApprovalOutcome): (right: Approver) => Approver {
  return telling((outcome) => (outcome.type === 'unanswered' && outcome.reason === reason ? told : outcome));
}

function unlessAnswered(reason: string): (right: Approver) => Approver {
  return insteadOf(reason, consent);
}

/** Mutants of consent. */
export const consentMutants: readonly ApproverMutant[] = [
  {
    name: 'agreement-is-consent',
    wrong: 'takes agreement without a choice for consent',
    change: unlessAnswered('invalid-answer'),
  },
  { name: 'closing-is-consent', wrong: 'takes a closed question for consent', change: unlessAnswered('dismissed') },
  { name: 'silence-is-consent', wrong: 'takes silence for consent', change: unlessAnswered('timed-out') },
  {
    name: 'fault-is-consent',
    wrong: 'takes a broken connection to the user for consent',
    change: unlessAnswered('failed'),
  },
  { name: 'abort-is-consent', wrong: 'takes an aborted question for consent', change: unlessAnswered('cancelled') },
  {
    name: 'takes-what-was-not-offered',
    wrong: 'takes answers that the question does not offer',
    change: asking((question) => ({ ...question, kind: question.kind ?? 'all', lasting: question.lasting ?? 'all' })),
  },
  {
    name: 'takes-server-for-commands',
    wrong: 'accepts an answer for a whole server although the question offers none',
    change: asking((question) => ({ ...question, wholeServer: question.wholeServer ?? 'all' })),
  },
  {
    name: 'widens-to-server',
    wrong: 'reports an answer for one tool as one for its whole server',
    change: telling((outcome, { wholeServer }) =>
      outcome.type === 'answered' && outcome.answer === 'run' && wholeServer !== null
        ? { type: 'answered', answer: 'server' }
        : outcome,
    ),
  },
  { name: 'guesses-case', wrong: 'takes `ONCE` for `once`', read: (answer) => answer.toLowerCase() },
  { name: 'trims', wrong: 'takes `once` with a blank for `once`', read: (answer) => answer.trim() },
  { name: 'knows-yes', wrong: 'takes `yes` for `once`', read: (answer) => (answer === 'yes' ? 'once' : answer) },
  {
    name: 'no-for-good',
    wrong: 'reports a no as an answer that never came',
    change: telling((outcome) =>
      outcome.type === 'answered' && outcome.answer === 'no' ? { type: 'unanswered', reason: 'dismissed' } : outcome,
    ),
  },
  {
    name: 'closing-is-no',
    wrong: 'reports a closed question as a no',
    change: insteadOf('dismissed', { type: 'answered', answer: 'no' }),
  },
  {
    name: 'fault-is-cannot-ask',
    wrong: 'says that no user could be asked although the question was shown',
    change: insteadOf('failed', { type: 'cannot-ask', text: 'The user could not be asked.' }),
  },
  {
    name: 'run-for-always',
    wrong: 'reports `always` when the user chose `run`',
    read: (answer) => (answer === 'run' ? 'always' : answer),
  },
  {
    name: 'remembers',
    wrong: 'repeats an answer when the question comes again',
    change: (right) => {
      const known = new Map<string, Promise<ApprovalOutcome>>();
      return {
        ask: (question, signal) => {
          const outcome = known.get(question.handle) ?? right.ask(question, signal);
          known.set(question.handle, outcome);
          return outcome;
        },
      };
    },
  },
  {
    name: 'one-for-all',
    wrong: 'gives one answer to all questions that wait together',
    change: (right) => {
      let waiting: Promise<ApprovalOutcome> | null = null;
      return {
        ask: (question, signal) => {
          waiting ??= right.ask(question, signal).finally(() => {
            waiting = null;
          });
          return waiting;
        },
      };
    },
  },
];

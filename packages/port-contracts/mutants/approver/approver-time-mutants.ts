import type { ApprovalOutcome, ApprovalQuestion, Approver } from '@gemini-mcp/core';
import { type ApproverMutant, asking, telling, withSignal } from './approver-mutant.ts';

const never = new AbortController().signal;

async function ended(signal: AbortSignal): Promise<ApprovalOutcome> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return { type: 'unanswered', reason: 'timed-out' };
}

/** Asks one question at a time, and changes the waiting ones. */
function oneAtATime(change: (question: ApprovalQuestion) => ApprovalQuestion): (right: Approver) => Approver {
  return (right) => {
    let last: Promise<unknown> | null = null;
    return {
      ask: async (question, signal) => {
        const before = last;
        const outcome = (async () => {
          await before;
          return right.ask(before === null ? question : change(question), signal);
        })();
        last = outcome;
        return outcome;
      },
    };
  };
}

/** Mutants of deadlines, endings and display. */
export const timeMutants: readonly ApproverMutant[] = [
  {
    name: 'asks-for-an-hour',
    wrong: 'waits beyond the deadline',
    hangs: true,
    change: asking((question) => ({ ...question, deadlineAtMs: question.deadlineAtMs + 3_600_000 })),
  },
  { name: 'ignores-abort', wrong: 'goes on after an abort', hangs: true, change: withSignal(() => never) },
  {
    name: 'ignores-early-abort',
    wrong: 'asks with a signal that is aborted already',
    change: withSignal((signal) => (signal.aborted ? never : signal)),
  },
  {
    name: 'first-deadline-for-all',
    wrong: 'gives each question the deadline of the first one',
    hangs: true,
    change: (right) => {
      let firstMs: number | null = null;
      return {
        ask: (question, signal) => {
          firstMs ??= question.deadlineAtMs;
          return right.ask({ ...question, deadlineAtMs: firstMs }, signal);
        },
      };
    },
  },
  {
    name: 'asks-when-it-is-over',
    wrong: 'shows a question whose deadline has passed',
    change: asking((question) => ({ ...question, deadlineAtMs: question.deadlineAtMs + 1 })),
    hangs: true,
  },
  {
    name: 'waits-deaf',
    wrong: 'ends a waiting question neither at its abort nor at its deadline',
    hangs: true,
    change: oneAtATime((question) => question),
  },
  {
    name: 'time-from-its-turn',
    wrong: 'counts the time of a question from the end of the one before',
    hangs: true,
    change: oneAtATime((question) => ({ ...question, deadlineAtMs: question.deadlineAtMs + 1_500 })),
  },
  {
    name: 'one-abort-for-all',
    wrong: 'ends all questions when one is aborted',
    change: (right) => {
      const all = new AbortController();
      return {
        ask: (question, signal) => {
          const end = (): void => all.abort();
          signal.addEventListener('abort', end, { once: true });
          return right.ask(question, signal.aborted ? signal : all.signal).finally(() => {
            signal.removeEventListener('abort', end);
          });
        },
      };
    },
  },
  {
    name: 'one-deadline-for-all',
    wrong: 'ends all questions by the earliest deadline',
    change: (right) => {
      const all = new AbortController();
      return {
        ask: async (question, signal) => {
          const outcome = await Promise.race([right.ask(question, signal), ended(all.signal)]);
          if (outcome.type === 'unanswered' && outcome.reason === 'timed-out') {
            all.abort();
          }
          return outcome;
        },
      };
    },
  },
  {
    name: 'rejects-on-abort',
    wrong: 'rejects when it is aborted',
    change: (right) => ({
      ask: async (question, signal) => {
        const outcome = await right.ask(question, signal);
        signal.throwIfAborted();
        return outcome;
      },
    }),
  },
  {
    name: 'rejects-on-fault',
    wrong: 'rejects when the connection to the user breaks',
    change: telling((outcome) => {
      if (outcome.type === 'unanswered' && outcome.reason === 'failed') {
        throw new Error('the window is gone');
      }
      return outcome;
    }),
  },
  {
    name: 'leaves-listener',
    wrong: 'leaves a listener on the signal',
    change: withSignal((signal) => {
      signal.addEventListener('abort', () => undefined);
      return signal;
    }),
  },
  {
    name: 'says-not-why',
    wrong: 'does not say why a user cannot be asked',
    change: telling((outcome) => (outcome.type === 'cannot-ask' ? { ...outcome, text: '' } : outcome)),
  },
  {
    name: 'shows-controls',
    wrong: 'shows words with the control characters that are in them',
    show: ({ subject }, right) => {
      const words = subject.type === 'command' ? subject.plan.pipelines[0].commands[0].words : [];
      return `${right}\n${words.map((word) => (word.type === 'literal' ? word.text : '')).join(' ')}`;
    },
  },
  {
    name: 'hides-network',
    wrong: 'does not say whether a command reaches the network',
    show: (_, right) => right.replace(/, with the network,/g, ', without the network,'),
  },
  { name: 'joins-words', wrong: 'shows no quotes around words', show: (_, right) => right.replace(/['"]/g, '') },
];

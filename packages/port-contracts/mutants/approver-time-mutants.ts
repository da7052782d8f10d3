import { type ApproverMutant, asking, telling, withSignal } from './approver-mutant.ts';

const never = new AbortController().signal;

/** How long they ask, how they end, and what they show. */
export const timeMutants: readonly ApproverMutant[] = [
  {
    name: 'asks-for-an-hour',
    wrong: 'waits beyond the deadline',
    hangs: true,
    change: asking((question) => ({ ...question, deadlineAtMs: question.deadlineAtMs + 3_600_000 })),
  },
  {
    name: 'asks-for-a-minute',
    wrong: 'gives up before the deadline',
    change: asking((question) => ({ ...question, deadlineAtMs: question.deadlineAtMs - 240_000 })),
  },
  { name: 'ignores-abort', wrong: 'goes on after an abort', hangs: true, change: withSignal(() => never) },
  {
    name: 'ignores-early-abort',
    wrong: 'asks with a signal that is aborted already',
    change: withSignal((signal) => (signal.aborted ? never : signal)),
  },
  {
    name: 'first-deadline-for-all',
    wrong: 'waits for each question as long as for the first one',
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
    wrong: 'shows a question whose deadline is over',
    change: asking((question) => ({ ...question, deadlineAtMs: question.deadlineAtMs + 1 })),
    hangs: true,
  },
  {
    name: 'rejects-on-abort',
    wrong: 'rejects where it is aborted',
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
    wrong: 'rejects where the way to the user breaks',
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
  { name: 'cuts-words', wrong: 'shows the first words of a command alone', show: (_, right) => right.slice(0, 120) },
  {
    name: 'hides-network',
    wrong: 'does not say whether a command reaches the network',
    show: (_, right) => right.replace(/^Network: .*$/gm, 'Network: none'),
  },
  { name: 'joins-words', wrong: 'shows no bounds of words', show: (_, right) => right.replace(/['"]/g, '') },
  {
    name: 'hides-the-cut',
    wrong: 'does not say that a diff was cut',
    show: (_, right) => right.replace(/^\(.*not shown.*\)$/gm, ''),
  },
];

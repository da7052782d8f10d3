import { showValue } from '../show-value.ts';

/** The first steps of a long stream show how it began, and the last ones how it ended. */
const maxEndsShown = 4;

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Passes a stream on and calls `tell` with a text about the progress after each step. */
export function watchSteps<Step>(stream: AsyncIterable<Step>, tell: (came: string) => void): AsyncIterable<Step> {
  const shown: string[] = [];
  const note = (step: string, then: string): void => {
    shown.push(...(step === '' ? [] : [step]));
    tell([listSteps(shown), then].filter((part) => part !== '').join(', '));
  };
  const settle = (result: IteratorResult<Step>): IteratorResult<Step> => {
    note(result.done ? '' : showValue(result.value), result.done ? 'and that was all' : 'still waiting');
    return result;
  };
  const fail = (reason: unknown): never => {
    note('', `then rejected with ${showValue(reason)}`);
    throw reason;
  };
  return {
    [Symbol.asyncIterator]: () => {
      const steps = stream[Symbol.asyncIterator]();
      tell('still waiting');
      return {
        next: () => steps.next().then(settle, fail),
        return: async (value) => {
          note('', 'and no more was wanted');
          return (await steps.return?.(value)) ?? { done: true, value };
        },
      };
    },
  };
}

function listSteps(shown: readonly string[]): string {
  const left = shown.length - 2 * maxEndsShown;
  return left <= 0
    ? shown.join(', ')
    : [...shown.slice(0, maxEndsShown), `… ${left} more …`, ...shown.slice(-maxEndsShown)].join(', ');
}

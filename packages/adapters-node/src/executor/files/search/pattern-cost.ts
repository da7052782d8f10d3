import { type PatternWeight, weighPattern } from '../../../inside-the-cli/weigh-pattern.ts';

/** Some milliseconds, whatever the text. */
const quickSteps = 5_000_000;

/** Tells whether matching a regular expression against a line of a length cannot take long, by the form of the expression. */
export function createQuickTest(source: string): (length: number) => boolean {
  const weight = weighPattern(source);
  return (length) => stepsOf(weight, length) <= quickSteps;
}

/** At most, for a match that is looked for at every place of a line. */
function stepsOf({ repetitions, choices, isNested }: PatternWeight, length: number): number {
  let steps = length * 2 ** (isNested ? length + choices : choices);
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    steps *= Math.max(1, length / (repetition + 1));
  }
  return steps;
}

/** The length of the longest line of a text. */
export function longestLine(text: string): number {
  let longest = 0;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    longest = Math.max(longest, end - start);
    start = end + 1;
  }
  return Math.max(longest, text.length - start);
}

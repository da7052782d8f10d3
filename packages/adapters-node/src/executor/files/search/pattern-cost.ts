/** How the steps of a backtracking matcher grow with the length of a text. */
export type PatternWeight = {
  /** Repetitions without a small bound: each makes the growth one power steeper. */
  readonly repetitions: number;
  /** What may be there or not, and other choices in a group: each doubles the steps. */
  readonly choices: number;
  /** Whether the growth may be exponential: a repetition or a choice is repeated, or a group is referred to. */
  readonly isNested: boolean;
};

/** Weighs the source of a regular expression, rather too heavy than too light. */
export function weighPattern(source: string): PatternWeight {
  // Escapes and classes are one character each to a matcher; a reference to a group is not.
  const plain = source.replace(/\\[\s\S]/g, 'x').replace(/\[[^\]]*\]/g, 'x');
  const tokens = plain.matchAll(/\((?:\?(?:[:=!]|<[=!]|<\w+>))?|\)?(?:[*+?]|\{\d+,?\d*\})\??|\)|\|/g);
  const repetitions: string[] = [];
  const choices: string[] = [];
  let isNested = /\\(?:[1-9]|k<)/.test(source);
  // For the whole and each group that is open: whether anything in it repeats or can be chosen.
  const varies: boolean[] = [false];
  const leaves = (token: string): boolean => token.startsWith(')') && varies.length > 1 && varies.pop() === true;
  for (const [token] of tokens) {
    const quantifier = token.replace(')', '')[0] ?? '';
    if (quantifier === '(') {
      varies.push(false);
      continue;
    }
    const inner = leaves(token);
    if (/[*+{]/.test(quantifier)) {
      repetitions.push(token);
      isNested ||= inner;
    } else if (quantifier === '?' || (quantifier === '|' && varies.length > 1)) {
      choices.push(token);
    }
    varies.push([varies.pop(), inner, quantifier !== ''].includes(true));
  }
  return { repetitions: repetitions.length, choices: choices.length, isNested };
}

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

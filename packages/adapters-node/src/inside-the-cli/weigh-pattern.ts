/** How the steps of a backtracking matcher grow with the length of a text. */
export type PatternWeight = {
  /** Repetitions without a small bound: each makes the growth one power steeper. */
  readonly repetitions: number;
  /** What may be there or not, and other choices in a group: each doubles the steps. */
  readonly choices: number;
  /** Whether the growth may be exponential: a repetition or a choice is repeated, or a group is referred to. */
  readonly isNested: boolean;
};

/** Weighs the source of a regular expression, rather too heavy than too light. Runs inside the CLI. */
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

/** What becomes of a command: it runs, the user is asked first, or it does not run. */
export type CommandDecision = 'allow' | 'ask' | 'deny';

/** A word of a command, or several of which any will do. */
export type RuleWord = string | readonly string[];

/** What is decided for commands that begin with certain words. */
export type CommandRule = {
  /** The first words, the program among them. They are compared as they are: no word stands for others. */
  readonly prefix: readonly [RuleWord, ...RuleWord[]];
  readonly decision: CommandDecision;
  /** Why, in a sentence for the user and the model; where a command does not run, it says what to do in its place. */
  readonly reason: string;
  /**
   * Options with which the rule does not hold wherever they are, such as `-delete`; also as `-delete=…`, abbreviated as `--outp` for `--output`,
   * and as a letter among others, as in `-uo` for `-o`.
   */
  readonly unless?: readonly string[];
  /** Options without all of which the rule does not hold, such as `--stat`. */
  readonly only?: readonly string[];
  /** Command lines for which the rule holds: one at least. They are tried when rules are loaded, as are the others. */
  readonly matches: readonly [string, ...string[]];
  /** Command lines for which it does not hold. */
  readonly notMatches?: readonly string[];
};

/** What was decided, and why. */
export type CommandJudgement = {
  readonly decision: CommandDecision;
  readonly reason: string;
  /** The rule that decided; null where none holds. */
  readonly rule: CommandRule | null;
};

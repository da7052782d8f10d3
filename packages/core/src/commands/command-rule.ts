/** Whether a command runs, needs the user's approval, or is refused. */
export type CommandDecision = 'allow' | 'ask' | 'deny';

/** A word of a command, or several alternatives. */
export type RuleWord = string | readonly string[];

/** The decision for commands that begin with certain words. */
export type CommandRule = {
  /** The first words, beginning with the program. They are compared literally. */
  readonly prefix: readonly [RuleWord, ...RuleWord[]];
  readonly decision: CommandDecision;
  /** Why, in a sentence for the user and the model; for a refused command it also says what to do instead. */
  readonly reason: string;
  /**
   * Options that disable the rule in any position, such as `-delete`; also as `-delete=…`, abbreviated as `--outp` for `--output`, and as a
   * letter among others, as in `-uo` for `-o`.
   */
  readonly unless?: readonly string[];
  /** Options of which at least one must be present, such as `--stat`. */
  readonly only?: readonly string[];
  /** Command lines that the rule must match, at least one. They are checked when rules are loaded, like `notMatches`. */
  readonly matches: readonly [string, ...string[]];
  /** Command lines that the rule must not match. */
  readonly notMatches?: readonly string[];
};

/** A decision and its reason. */
export type CommandJudgement = {
  readonly decision: CommandDecision;
  readonly reason: string;
  /** The rule that decided; null if no rule matched. */
  readonly rule: CommandRule | null;
};

import type { CommandWord } from './command-plan.ts';
import type { CommandDecision, CommandJudgement, CommandRule, RuleWord } from './command-rule.ts';

const strictness: Readonly<Record<CommandDecision, number>> = { allow: 0, ask: 1, deny: 2 };

/** The strictest of several judgements, the first one among those that are equally strict. */
export function strictest(judgements: readonly [CommandJudgement, ...CommandJudgement[]]): CommandJudgement {
  return judgements.reduce((one, other) => (strictness[other.decision] > strictness[one.decision] ? other : one));
}

/** Decides for the words of one command. The strictest rule that holds counts; if none holds, the user is asked. */
export function judgeCommand(words: readonly CommandWord[], rules: readonly CommandRule[]): CommandJudgement {
  const [first, ...others] = rules
    .filter((rule) => holdsFor(rule, words))
    .map((rule): CommandJudgement => ({ decision: rule.decision, reason: rule.reason, rule }));
  return first === undefined
    ? { decision: 'ask', reason: reasonToAsk(words, rules), rule: null }
    : strictest([first, ...others]);
}

/** Whether a rule speaks of a command. */
export function holdsFor(rule: CommandRule, words: readonly CommandWord[]): boolean {
  return beginsWith(rule, words) && lacking(rule, words) === null && exceptionIn(rule, words) === null;
}

function reasonToAsk(words: readonly CommandWord[], rules: readonly CommandRule[]): string {
  const near = rules.filter((rule) => beginsWith(rule, words));
  const exception = near.map((rule) => exceptionIn(rule, words)).find((option) => option !== null);
  const missing = near.map((rule) => lacking(rule, words)).find((options) => options !== null);
  if (exception != null) {
    return `It is allowed only without ${exception}.`;
  }
  return missing == null ? 'No rule covers this command.' : `It is allowed only with ${missing.join(' or ')}.`;
}

function beginsWith({ prefix }: CommandRule, words: readonly CommandWord[]): boolean {
  return prefix.every((expected, index) => isWord(words[index], expected));
}

/** The options of which a rule wants one, if there is none of them. */
function lacking({ only }: CommandRule, words: readonly CommandWord[]): readonly string[] | null {
  return only === undefined || words.some((word) => isWord(word, only)) ? null : only;
}

function exceptionIn({ unless = [] }: CommandRule, words: readonly CommandWord[]): string | null {
  return unless.find((excepted) => words.some((word) => mayBe(word, excepted))) ?? null;
}

/** The names that a pattern will find are not known: it is none of the words of a rule. */
function isWord(word: CommandWord | undefined, expected: RuleWord): boolean {
  return word?.type === 'literal' && (typeof expected === 'string' ? [expected] : expected).includes(word.text);
}

/** A pattern can become any word that begins like it: every exception is taken to be among what it finds. */
function mayBe(word: CommandWord, excepted: string): boolean {
  if (word.type === 'literal') {
    return isOption(word.text, excepted);
  }
  const [first] = word.pieces;
  const start = first?.type === 'literal' ? first.text : '';
  const isAmongLetters = isShort(excepted) && /^-(?!-)/.test(start);
  return excepted.startsWith(start) || isAmongLetters || isOption(start, excepted);
}

/**
 * Whether a word is an option as programs take it: `--output` also abbreviated (`--outp`) and with a value (`--output=x`), `-o` also with a value
 * (`-ox`) and among other letters (`-uo`).
 */
function isOption(text: string, excepted: string): boolean {
  const [name = ''] = text.split('=');
  if (excepted.startsWith('--')) {
    return name.length > 2 && excepted.startsWith(name);
  }
  return name === excepted || (isShort(excepted) && /^-(?!-)/.test(text) && text.includes(excepted.slice(1)));
}

function isShort(option: string): boolean {
  return /^-[^-]$/.test(option);
}

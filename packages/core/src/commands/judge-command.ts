import type { CommandWord } from './command-plan.ts';
import type { CommandDecision, CommandJudgement, CommandRule, RuleWord } from './command-rule.ts';

const strictness: Readonly<Record<CommandDecision, number>> = { allow: 0, ask: 1, deny: 2 };

/** The strictest of several judgements, the first one among those that are equally strict. */
export function strictest(judgements: readonly [CommandJudgement, ...CommandJudgement[]]): CommandJudgement {
  return judgements.reduce((one, other) => (strictness[other.decision] > strictness[one.decision] ? other : one));
}

/** Decides for the words of one command. The strictest rule that holds counts; where none holds, the user is asked. */
export function judgeCommand(words: readonly CommandWord[], rules: readonly CommandRule[]): CommandJudgement {
  const [first, ...others] = rules
    .filter((rule) => holdsFor(rule, words))
    .map((rule): CommandJudgement => ({ decision: rule.decision, reason: rule.reason, rule }));
  return first === undefined
    ? { decision: 'ask', reason: 'No rule speaks of this command.', rule: null }
    : strictest([first, ...others]);
}

/** Whether a rule speaks of a command. */
export function holdsFor({ prefix, unless = [] }: CommandRule, words: readonly CommandWord[]): boolean {
  return (
    prefix.every((expected, index) => isWord(words[index], expected)) &&
    !words.some((word) => unless.some((excepted) => begins(word, excepted)))
  );
}

/** The names that a pattern will find are not known: it is none of the words of a rule. */
function isWord(word: CommandWord | undefined, expected: RuleWord): boolean {
  return word?.type === 'literal' && (typeof expected === 'string' ? [expected] : expected).includes(word.text);
}

/** A pattern can become any word: every exception is taken to be among what it finds. */
function begins(word: CommandWord, excepted: string): boolean {
  if (word.type === 'pattern') {
    return couldBegin(word, excepted);
  }
  return word.text === excepted || word.text.startsWith(`${excepted}=`);
}

function couldBegin({ pieces }: Extract<CommandWord, { readonly type: 'pattern' }>, excepted: string): boolean {
  const [first] = pieces;
  const start = first?.type === 'literal' ? first.text : '';
  return excepted.startsWith(start) || start.startsWith(`${excepted}=`);
}

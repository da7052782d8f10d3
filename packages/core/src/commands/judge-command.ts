import type { CommandPlan, CommandWord, SimpleCommand } from '../ports/workspace/command-plan.ts';
import type { CommandDecision, CommandJudgement, CommandRule, RuleWord } from './command-rule.ts';

const strictness: Readonly<Record<CommandDecision, number>> = { allow: 0, ask: 1, deny: 2 };

/** The strictest of several judgements; the first among equally strict ones. */
function strictest(judgements: readonly [CommandJudgement, ...CommandJudgement[]]): CommandJudgement {
  return judgements.reduce((one, other) => (strictness[other.decision] > strictness[one.decision] ? other : one));
}

/** Judges the words of one command. The strictest matching rule counts; if none matches, the user is asked. */
export function judgeCommand(words: readonly CommandWord[], rules: readonly CommandRule[]): CommandJudgement {
  const [first, ...others] = rules
    .filter((rule) => holdsFor(rule, words))
    .map((rule): CommandJudgement => ({ decision: rule.decision, reason: rule.reason, rule }));
  return first === undefined
    ? { decision: 'ask', reason: reasonToAsk(words, rules), rule: null }
    : strictest([first, ...others]);
}

/** Whether a rule matches a command. */
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

/** The options that a rule requires, if none of them is present. */
function lacking({ only }: CommandRule, words: readonly CommandWord[]): readonly string[] | null {
  return only === undefined || words.some((word) => isWord(word, only)) ? null : only;
}

function exceptionIn({ unless = [] }: CommandRule, words: readonly CommandWord[]): string | null {
  return unless.find((excepted) => words.some((word) => mayBe(word, excepted))) ?? null;
}

/** A pattern's file names are unknown, so it matches no word of a rule. */
function isWord(word: CommandWord | undefined, expected: RuleWord): boolean {
  return word?.type === 'literal' && (typeof expected === 'string' ? [expected] : expected).includes(word.text);
}

/** A pattern can become any word with the same beginning: every exception is assumed to be among its matches. */
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
 * Whether a word is an option as programs parse it: `--output` also abbreviated (`--outp`) and with a value (`--output=x`), `-o` also with a value
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

/** Number of words before the wrapped command; null if the words do not have a known form. */
type Wrapper = (words: readonly string[]) => number | null;

const duration = /^\d+(?:\.\d+)?[smhd]?$/;

const wrappers: Readonly<Record<string, Wrapper>> = {
  nice: ([first, second]) => {
    if (first === '-n') {
      return /^\d+$/.test(second ?? '') ? 3 : null;
    }
    return 1;
  },
  nohup: () => 1,
  timeout: ([first]) => (duration.test(first ?? '') ? 2 : null),
};

/**
 * The command that a wrapper such as `timeout` runs, through any number of wrappers; the words themselves if the first one is not a wrapper, or is
 * used in an unknown form.
 */
export function unwrapCommand(words: readonly CommandWord[]): readonly CommandWord[] {
  const [program, ...others] = words;
  const isKnown = program?.type === 'literal' && Object.hasOwn(wrappers, program.text);
  const wrapper = isKnown ? wrappers[program.text] : undefined;
  const count = wrapper?.(others.map((word) => (word.type === 'literal' ? word.text : word.source))) ?? null;
  const inner = count === null ? [] : words.slice(count);
  // A word that begins with a dash is an option of the wrapper, not a program.
  const isCommand = inner[0]?.type === 'literal' && !inner[0].text.startsWith('-');
  return isCommand ? unwrapCommand(inner) : words;
}

/** Judges a whole command line by its strictest part. */
export function judgePlan({ pipelines }: CommandPlan, rules: readonly CommandRule[]): CommandJudgement {
  const [first] = pipelines[0].commands;
  const all = pipelines.flatMap(({ commands }) => commands);
  return strictest([judgeStep(first, rules), ...all.map((command) => judgeStep(command, rules))]);
}

function judgeStep({ assignments, words }: SimpleCommand, rules: readonly CommandRule[]): CommandJudgement {
  const variables = assignments.map(({ name }) => judgeVariable(name));
  return strictest([judgeCommand(unwrapCommand(words), rules), ...variables]);
}

/** Variables that change how programs print, or how tests run. */
const harmless =
  /^(?:CI|DEBUG|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|LANG|LC_[A-Z]+|TZ|TERM|NODE_ENV|RUST_BACKTRACE|RUST_LOG|CARGO_TERM_COLOR|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|(?:TEST|VITEST|JEST|PYTEST|UPDATE)_[A-Z0-9_]+)$/;

/** Variables that make a program load or run something that its arguments do not show. */
const loading =
  /^(?:LD_.*|DYLD_.*|GIT_.*|NODE_OPTIONS|NODE_PATH|PATH|HOME|ENV|BASH_.*|IFS|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|PYTHON(?:PATH|STARTUP|HOME|INSPECT)|PERL5(?:OPT|LIB|DB)|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|CLASSPATH|EDITOR|VISUAL|PAGER|LESSOPEN|LESSCLOSE|MAN(?:PAGER|OPT)|BROWSER|SSH_.*|SUDO_.*|npm_config_.*|NPM_CONFIG_.*|YARN_.*|RUSTC.*|RUSTFLAGS|CARGO_(?:BUILD|TARGET)_.*|MAKEFLAGS|CC|CXX|GOFLAGS|PYTEST_(?:ADDOPTS|PLUGINS)|RIPGREP_CONFIG_PATH)$/;

/** Judges a variable that is set for one command. */
export function judgeVariable(name: string): CommandJudgement {
  if (loading.test(name)) {
    return {
      decision: 'deny',
      reason: `${name} makes programs load or run something else. Run the command without it.`,
      rule: null,
    };
  }
  return harmless.test(name)
    ? { decision: 'allow', reason: `${name} changes how programs print, or how tests run.`, rule: null }
    : { decision: 'ask', reason: `The effect of ${name} is unknown.`, rule: null };
}

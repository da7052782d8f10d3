import { nearestName } from '@gemini-mcp/core/internal';
import { quoteValue } from '../content/quote-value.ts';

/** Enough to repair a call; a caller with more mistakes starts over anyway. */
const maxProblems = 5;

const maxAccepted = 40;
const maxAllowed = 20;

/** Limits the names compared in search of the nearest one: each is compared letter by letter. */
const maxCompared = 100;
const maxComparedCharacters = 60;

/** Names for the checked value and for the names in it. */
export type ProblemWords = { readonly whole: string; readonly name: string };

const argumentWords: ProblemWords = { whole: 'the arguments', name: 'argument' };

/** Names that are safe to show unquoted. */
const plain = /^[\w$ .:/+-]{1,60}$/;

export type InvalidArguments = {
  readonly problems: readonly ArgumentProblem[];
  readonly accepted: readonly AcceptedName[];
  /** The arguments as received. */
  readonly args: unknown;
};

/**
 * Lists, in our own words, which arguments of a call are wrong and which are accepted: one line per problem, at most five. The
 * caller's values are shortened and escaped, because a model reads them. `subject` names the tool or prompt.
 */
export function describeInvalidArguments(subject: string, { problems, accepted, args }: InvalidArguments): string {
  return [
    `Invalid arguments for ${subject}; nothing was done.`,
    ...describeProblems(problems, args, argumentWords),
    `Accepted: ${describeAccepted(accepted)}.`,
  ].join('\n');
}

/** One line per problem with a value, at most five. Quoted parts of the value are shortened and escaped. */
export function describeProblems(
  problems: readonly ArgumentProblem[],
  value: unknown,
  words: ProblemWords,
): readonly string[] {
  const lines = problems.slice(0, maxProblems).map((problem) => `- ${describeProblem(problem, value, words)}`);
  const hidden = problems.length - lines.length;
  return hidden > 0 ? [...lines, `- and ${hidden} more`] : lines;
}

function describeAccepted(accepted: readonly AcceptedName[]): string {
  const names = accepted.map(({ name, isRequired }) => (isRequired ? `${showName(name)} (required)` : showName(name)));
  return names.length === 0 ? 'no arguments' : listOf(names, maxAccepted);
}

function describeProblem(problem: ArgumentProblem, whole: unknown, words: ProblemWords): string {
  const where = describePath(problem.path, words);
  const value = valueAt(whole, problem.path);
  switch (problem.type) {
    case 'unknown-names':
      return describeUnknownNames(problem, words);
    case 'missing':
      return `${where}: missing`;
    case 'wrong-type':
      return `${where}: must be ${problem.expected.map(withArticle).join(' or ')}, not ${describeKind(value)}`;
    case 'too-much':
      return `${where}: ${problem.isExclusive ? 'less than' : 'at most'} ${describeLimit(problem, words)}, not ${describeSize(value)}`;
    case 'too-little':
      return `${where}: ${problem.isExclusive ? 'more than' : 'at least'} ${describeLimit(problem, words)}, not ${describeSize(value)}`;
    case 'not-listed':
      return `${where}: must be one of ${listOf(problem.allowed.map(showValue), maxAllowed)}${describeMeant(value, problem.allowed)}`;
    case 'rule':
      return `${where}: ${problem.message}${describeGiven(problem.path, value)}`;
    case 'other':
      return `${where}: not accepted`;
  }
}

/** Never repeats a secret: a mistyped key is most of a key. */
function describeGiven(path: readonly PropertyKey[], value: unknown): string {
  const isSecret = path.some((step) => /key|token|secret|password/i.test(String(step)));
  return typeof value === 'string' && !isSecret ? ` (given: ${quoteValue(value)})` : '';
}

function describeUnknownNames(
  { path, names, known }: Extract<ArgumentProblem, { type: 'unknown-names' }>,
  words: ProblemWords,
): string {
  const inside = path.length === 0 ? '' : ` in ${describePath(path, words)}`;
  const nearest = names.length === 1 && names[0] !== undefined ? nearestOf(names[0], known) : null;
  const meant = nearest === null ? '' : `. Did you mean ${showName(nearest)}?`;
  return `${listOf(names.map(quoteValue), maxProblems)}: no such ${words.name}${inside}${meant}`;
}

function describeMeant(value: unknown, allowed: readonly unknown[]): string {
  const words = allowed.filter((each) => typeof each === 'string');
  const nearest = typeof value === 'string' ? nearestOf(value, words) : null;
  return nearest === null ? '' : `. Did you mean ${showName(nearest)}?`;
}

function nearestOf(name: string, known: readonly string[]): string | null {
  const compared = known.slice(0, maxCompared).filter(({ length }) => length <= maxComparedCharacters);
  return name.length > maxComparedCharacters ? null : nearestName(name, compared);
}

/** Names from a stranger's schema, and names that a caller chooses, can be anything. */
function describePath(path: readonly PropertyKey[], { whole }: ProblemWords): string {
  const [first, ...rest] = path;
  if (first === undefined) {
    return whole;
  }
  return rest.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${showName(String(step))}`),
    typeof first === 'number' ? `${whole}[${first}]` : showName(String(first)),
  );
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined,
    args,
  );
}

function showName(name: string): string {
  return plain.test(name) ? name : quoteValue(name);
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? showName(value) : quoteless(value);
}

function quoteless(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return plain.test(text) ? text : quoteValue(text);
}

function listOf(shown: readonly string[], max: number): string {
  const hidden = shown.length - max;
  return hidden > 0 ? `${shown.slice(0, max).join(', ')} and ${hidden} more` : shown.join(', ');
}

function describeKind(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  if (typeof value === 'number') {
    return String(value);
  }
  return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

function withArticle(noun: string): string {
  if (noun === 'null') {
    return noun;
  }
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function describeLimit(
  { limit, counted }: Extract<ArgumentProblem, { type: 'too-much' | 'too-little' }>,
  words: ProblemWords,
): string {
  if (counted === null) {
    return String(limit);
  }
  return limit === 1 ? `1 ${nounOf(counted, words)}` : `${limit} ${pluralOf(nounOf(counted, words))}`;
}

function nounOf(counted: 'character' | 'item' | 'name', { name }: ProblemWords): string {
  return counted === 'name' ? name : counted;
}

function pluralOf(noun: string): string {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

function describeSize(value: unknown): string {
  if (typeof value === 'string' || Array.isArray(value)) {
    return String(value.length);
  }
  return typeof value === 'object' && value !== null ? String(Object.keys(value).length) : describeKind(value);
}

/** One problem at one path of the arguments. Both kinds of schemas produce these, so that callers read the same text for both. */
export type ArgumentProblem = {
  /** Names and indexes from the arguments down to the place; empty for the arguments as a whole. */
  readonly path: readonly PropertyKey[];
} & (
  | {
      readonly type: 'unknown-names';
      readonly names: readonly string[];
      /** The names defined at this path, as far as they are known. */
      readonly known: readonly string[];
    }
  | { readonly type: 'missing' }
  | { readonly type: 'wrong-type'; readonly expected: readonly string[] }
  | Limit
  | { readonly type: 'not-listed'; readonly allowed: readonly unknown[] }
  /** `message` says what the value must be, in text that is safe to show. */
  | { readonly type: 'rule'; readonly message: string }
  | { readonly type: 'other' }
);

type Limit = {
  readonly type: 'too-much' | 'too-little';
  /** The unit counted; null if the value itself is limited. */
  readonly counted: 'character' | 'item' | 'name' | null;
  readonly limit: number | bigint;
  /** Whether the limit itself is out of range. */
  readonly isExclusive: boolean;
};

/** A name that the arguments may have. */
export type AcceptedName = { readonly name: string; readonly isRequired: boolean };

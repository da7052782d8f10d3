import { nearestName } from '@gemini-mcp/core/internal';
import { quoteValue } from '../quote-value.ts';
import type { AcceptedName, ArgumentProblem } from './argument-problem.ts';

/** Enough to repair a call; a reader with more mistakes than that starts over anyway. */
const maxProblems = 5;

const maxAccepted = 40;
const maxAllowed = 20;

/** Names among which the nearest one is looked for: each costs a comparison letter by letter. */
const maxCompared = 100;
const maxComparedCharacters = 60;

/** What can be shown as it is. */
const plain = /^[\w$ .:/+-]{1,60}$/;

export type InvalidArguments = {
  readonly problems: readonly ArgumentProblem[];
  readonly accepted: readonly AcceptedName[];
  /** As they came. */
  readonly args: unknown;
};

/**
 * Says in our words which arguments of a call are wrong and what is accepted: a line a problem, five at most, with the
 * caller's values shortened and escaped, since a model reads them. `subject` is what was called.
 */
export function describeInvalidArguments(subject: string, { problems, accepted, args }: InvalidArguments): string {
  const lines = problems.slice(0, maxProblems).map((problem) => `- ${describeProblem(problem, args)}`);
  const hidden = problems.length - lines.length;
  return [
    `Invalid arguments for ${subject}; nothing was done.`,
    ...lines,
    ...(hidden > 0 ? [`- and ${hidden} more`] : []),
    `Accepted: ${describeAccepted(accepted)}.`,
  ].join('\n');
}

function describeAccepted(accepted: readonly AcceptedName[]): string {
  const names = accepted.map(({ name, isRequired }) => (isRequired ? `${showName(name)} (required)` : showName(name)));
  return names.length === 0 ? 'no arguments' : listOf(names, maxAccepted);
}

function describeProblem(problem: ArgumentProblem, args: unknown): string {
  const where = describePath(problem.path);
  const value = valueAt(args, problem.path);
  switch (problem.type) {
    case 'unknown-names':
      return describeUnknownNames(problem.names, problem);
    case 'missing':
      return `${where}: missing`;
    case 'wrong-type':
      return `${where}: must be ${problem.expected.map(withArticle).join(' or ')}, not ${describeKind(value)}`;
    case 'too-much':
      return `${where}: ${problem.isExclusive ? 'less than' : 'at most'} ${describeLimit(problem)}, not ${describeSize(value)}`;
    case 'too-little':
      return `${where}: ${problem.isExclusive ? 'more than' : 'at least'} ${describeLimit(problem)}, not ${describeSize(value)}`;
    case 'not-listed':
      return `${where}: must be one of ${listOf(problem.allowed.map(showValue), maxAllowed)}`;
    case 'rule':
      return `${where}: ${problem.message}${describeGiven(problem.path, value)}`;
    case 'other':
      return `${where}: not accepted`;
  }
}

/** A key that was mistyped is most of a key: it is not repeated. */
function describeGiven(path: readonly PropertyKey[], value: unknown): string {
  const isSecret = path.some((step) => /key|token|secret|password/i.test(String(step)));
  return typeof value === 'string' && !isSecret ? ` (given: ${quoteValue(value)})` : '';
}

function describeUnknownNames(
  names: readonly string[],
  { path, known }: { readonly path: readonly PropertyKey[]; readonly known: readonly string[] },
): string {
  const inside = path.length === 0 ? '' : ` in ${describePath(path)}`;
  const nearest = names.length === 1 && names[0] !== undefined ? nearestOf(names[0], known) : null;
  const meant = nearest === null ? '' : `. Did you mean ${showName(nearest)}?`;
  return `${listOf(names.map(quoteValue), maxProblems)}: no such argument${inside}${meant}`;
}

function nearestOf(name: string, known: readonly string[]): string | null {
  const compared = known.slice(0, maxCompared).filter(({ length }) => length <= maxComparedCharacters);
  return name.length > maxComparedCharacters ? null : nearestName(name, compared);
}

/** Names of a schema from a stranger, and names that a caller may choose, can be anything. */
function describePath(path: readonly PropertyKey[]): string {
  const [first, ...rest] = path;
  if (first === undefined) {
    return 'the arguments';
  }
  return rest.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${showName(String(step))}`),
    showName(String(first)),
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

function describeLimit({ limit, counted }: Extract<ArgumentProblem, { type: 'too-much' | 'too-little' }>): string {
  return counted === null ? String(limit) : `${limit} ${counted}${limit === 1 ? '' : 's'}`;
}

function describeSize(value: unknown): string {
  if (typeof value === 'string' || Array.isArray(value)) {
    return String(value.length);
  }
  return typeof value === 'object' && value !== null ? String(Object.keys(value).length) : describeKind(value);
}

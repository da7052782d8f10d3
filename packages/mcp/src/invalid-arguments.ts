import * as z from 'zod';
import { quoteValue } from './quote-value.ts';

/** Enough to repair a call; a reader with more mistakes than that starts anew anyway. */
const maxIssues = 5;

/** What is counted where a size is limited; the value itself is limited elsewhere. */
const countedNouns: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

type Issue = z.core.$ZodIssue;

/**
 * Says in our words which arguments of a call are wrong and what is accepted: a line an issue, five at most, with the
 * caller's values shortened and escaped, since a model reads them.
 */
export function describeInvalidArguments(
  toolName: string,
  input: z.ZodObject,
  args: unknown,
  error: z.ZodError,
): string {
  const lines = error.issues.slice(0, maxIssues).map((issue) => `- ${describeIssue(issue, args)}`);
  const hidden = error.issues.length - lines.length;
  return [
    `Invalid arguments for ${toolName}; nothing was done.`,
    ...lines,
    ...(hidden > 0 ? [`- and ${hidden} more`] : []),
    `Accepted: ${describeAccepted(input)}.`,
  ].join('\n');
}

function describeAccepted(input: z.ZodObject): string {
  return Object.entries(input.shape)
    .map(([name, field]) => (z.safeParse(field, undefined).success ? name : `${name} (required)`))
    .join(', ');
}

function describeIssue(issue: Issue, args: unknown): string {
  const value = valueAt(args, issue.path);
  const where = describePath(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${describeKeys(issue.keys)}: no such argument`;
    case 'invalid_type':
      return value === undefined
        ? `${where}: missing`
        : `${where}: must be ${withArticle(expectedKind(issue.expected))}, not ${describeKind(value)}`;
    case 'too_big':
      return `${where}: at most ${describeLimit(issue.origin, issue.maximum)}, not ${describeSize(value)}`;
    case 'too_small':
      return `${where}: at least ${describeLimit(issue.origin, issue.minimum)}, not ${describeSize(value)}`;
    case 'custom':
    case 'invalid_format':
      return `${where}: ${issue.message}${describeGiven(issue, value)}`;
    case 'invalid_value':
      return `${where}: must be one of ${issue.values.map(String).join(', ')}`;
    default:
      return `${where}: not accepted`;
  }
}

/** A key that was mistyped is most of a key: it is not repeated. */
function describeGiven({ path }: Issue, value: unknown): string {
  const isSecret = path.some((step) => /key|token|secret|password/i.test(String(step)));
  return typeof value === 'string' && !isSecret ? ` (given: ${quoteValue(value)})` : '';
}

function describeKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, maxIssues).map((key) => quoteValue(key));
  const hidden = keys.length - shown.length;
  return hidden > 0 ? `${shown.join(', ')} and ${hidden} more` : shown.join(', ');
}

/** Every step but a number is a name of ours: a strict schema does not descend into names that it does not know. */
function describePath(path: readonly PropertyKey[]): string {
  const [first, ...rest] = path;
  if (first === undefined) {
    return 'the arguments';
  }
  return rest.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${String(step)}`),
    String(first),
  );
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    args,
  );
}

function expectedKind(expected: string): string {
  return expected === 'int' ? 'integer' : expected;
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
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function describeLimit(origin: string, limit: number | bigint): string {
  const noun = countedNouns[origin];
  return noun === undefined ? String(limit) : `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}

function describeSize(value: unknown): string {
  return typeof value === 'string' || Array.isArray(value) ? String(value.length) : describeKind(value);
}

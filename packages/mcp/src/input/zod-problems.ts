import * as z from 'zod';
import type { AcceptedName, ArgumentProblem } from './describe-invalid-arguments.ts';

type Issue = z.core.$ZodIssue;

const countedBy: Readonly<Record<string, 'character' | 'item'>> = { string: 'character', array: 'item' };

/** What zod calls otherwise than JSON Schema does. */
const typeNames: Readonly<Record<string, string>> = { int: 'integer', record: 'object' };

/** The problems that zod reports. */
export function readZodProblems(error: z.ZodError, input: z.ZodObject, args: unknown): readonly ArgumentProblem[] {
  return error.issues.map((issue) => readIssue(issue, input, args));
}

/** The names that an object of zod accepts. */
export function acceptedByZod(input: z.ZodObject): readonly AcceptedName[] {
  return Object.entries(input.shape).map(([name, field]) => ({
    name,
    isRequired: !z.safeParse(field, undefined).success,
  }));
}

function readIssue(issue: Issue, input: z.ZodObject, args: unknown): ArgumentProblem {
  const { path } = issue;
  switch (issue.code) {
    case 'unrecognized_keys':
      return {
        path,
        type: 'unknown-names',
        names: issue.keys,
        known: path.length === 0 ? Object.keys(input.shape) : [],
      };
    case 'invalid_type':
      return isMissing(args, path)
        ? { path, type: 'missing' }
        : { path, type: 'wrong-type', expected: [typeNames[issue.expected] ?? issue.expected] };
    case 'too_big':
      return { path, type: 'too-much', limit: issue.maximum, ...countOf(issue) };
    case 'too_small':
      return { path, type: 'too-little', limit: issue.minimum, ...countOf(issue) };
    case 'custom':
    case 'invalid_format':
      return { path, type: 'rule', message: issue.message };
    case 'invalid_value':
      return { path, type: 'not-listed', allowed: issue.values };
    default:
      return { path, type: 'other' };
  }
}

type Counted = { readonly counted: 'character' | 'item' | null; readonly isExclusive: boolean };

function countOf({
  origin,
  inclusive = true,
}: {
  readonly origin: string;
  readonly inclusive?: boolean | undefined;
}): Counted {
  return { counted: countedBy[origin] ?? null, isExclusive: !inclusive };
}

function isMissing(args: unknown, path: readonly PropertyKey[]): boolean {
  let value = args;
  for (const step of path) {
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined;
  }
  return value === undefined;
}

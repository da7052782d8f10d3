import { createContext, Script } from 'node:vm';
import type { OutputUnit, Schema, SchemaDraft } from '@cfworker/json-schema';
import type { ArgumentProblem } from '../describe-invalid-arguments.ts';
import type { JsonObject } from '../tool-input.ts';
import { copyJson, schemaBounds } from './copy-json.ts';
import type { SchemaLookup } from './find-subschema-problem.ts';
import { findSubschemaProblem, isSchemaObject } from './find-subschema-problem.ts';
import { readUnits } from './read-units.ts';

/** How long a stranger's schema may block this process. A harmless one takes a hundredth of it. */
const maxCheckMs = 250;

export type CompiledSchema =
  | {
      readonly isUsable: true;
      /** The problems with a value; empty if the schema accepts it. Never throws. */
      readonly problemsOf: (value: unknown) => readonly ArgumentProblem[];
    }
  | { readonly isUsable: false /** A predicate on the schema, such as "is not JSON". */; readonly problem: string };

/**
 * Prepares a stranger's JSON Schema to check values: bounded, well formed, with every reference inside it. It fetches nothing and
 * generates no code. `root` is the type of its values.
 */
export async function compileJsonSchema(jsonSchema: JsonObject, root: 'object' | 'any'): Promise<CompiledSchema> {
  const copied = copyJson(jsonSchema, schemaBounds);
  if (!copied.isCopied) {
    return { isUsable: false, problem: copied.problem };
  }
  const schema = copied.copy;
  if (!isSchemaObject(schema)) {
    return { isUsable: false, problem: 'is not a JSON object' };
  }
  if (root === 'object' && schema.type !== 'object') {
    return { isUsable: false, problem: 'lacks "type": "object"' };
  }
  // Loaded late: a server whose tools all use zod starts sooner without it.
  const { dereference, validate } = await import('@cfworker/json-schema');
  const draft = draftOf(schema);
  const resolved = runBounded(() => {
    const lookup: SchemaLookup = dereference(schema);
    return { lookup, problem: findSubschemaProblem(schema, lookup) };
  }, maxCheckMs);
  if (resolved === null || resolved.result.problem !== null) {
    return { isUsable: false, problem: resolved?.result.problem ?? 'is not a JSON Schema' };
  }
  const { lookup } = resolved.result;
  const check = (value: unknown): readonly OutputUnit[] => validate(value, schema, draft, { ...lookup }, false).errors;
  if (runBounded(() => check({}), maxCheckMs) === null) {
    return { isUsable: false, problem: 'refers to itself without end' };
  }
  return {
    isUsable: true,
    problemsOf: (value) => {
      const checked = runBounded(() => check(value), maxCheckMs);
      return checked === null ? [notChecked] : readUnits(checked.result, { schema, lookup, value });
    },
  };
}

const notChecked: ArgumentProblem = {
  path: [],
  type: 'rule',
  message: 'too large or too deep to check against the schema in time',
};

function draftOf({ $schema }: Schema): SchemaDraft {
  if (typeof $schema !== 'string') {
    return '2020-12';
  }
  if (/draft-0[67]/.test($schema)) {
    return '7';
  }
  return $schema.includes('2019-09') ? '2019-09' : '2020-12';
}

/** The result of the work. Null if it ran too long, recursed too deeply or threw: its input is at fault then. */
type Bounded<Result> = { readonly result: Result } | null;

/** A separate, empty realm. It evaluates nothing of the work; it only makes the work stoppable. */
const realm: { work: () => void } = Object.assign(createContext({}), { work: () => undefined });
const script = new Script('work()');

/** On a busy machine the time can pass before the work gets the processor. */
const maxTries = 4;

/**
 * Runs synchronous work on a stranger's input and stops it after `maxMs` at any point: V8 can also stop an expression that
 * backtracks without end, which a JavaScript timer cannot. If the work is stopped after less than half of that in processor time,
 * it runs again from the start. Nothing else runs meanwhile, so a stranger can block everyone for `maxMs` of processor time.
 */
export function runBounded<Result>(work: () => Result, maxMs: number): Bounded<Result> {
  for (let tries = 1; ; tries += 1) {
    const before = process.cpuUsage();
    const end = tryBounded(work, maxMs);
    const { user, system } = process.cpuUsage(before);
    const hadTime = (user + system) / 1_000 >= maxMs / 2;
    if (end !== 'stopped' || hadTime || tries === maxTries) {
      return end === 'stopped' ? null : end;
    }
  }
}

function tryBounded<Result>(work: () => Result, maxMs: number): Bounded<Result> | 'stopped' {
  let done: Bounded<Result> = null;
  realm.work = () => {
    done = { result: work() };
  };
  try {
    script.runInContext(realm, { timeout: maxMs });
  } catch (error) {
    // Not `instanceof Error`: the error can come from the other realm.
    return Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'stopped' : null;
  }
  return done;
}

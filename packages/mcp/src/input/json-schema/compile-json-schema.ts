import { createContext, Script } from 'node:vm';
import type { OutputUnit, Schema, SchemaDraft } from '@cfworker/json-schema';
import type { ArgumentProblem } from '../describe-invalid-arguments.ts';
import type { JsonObject } from '../tool-input.ts';
import { copyJson, schemaBounds } from './copy-json.ts';
import type { SchemaLookup } from './find-subschema-problem.ts';
import { findSubschemaProblem, isSchemaObject } from './find-subschema-problem.ts';
import { readUnits } from './read-units.ts';

/** How long a stranger's schema may keep this process from all else. One that is no attack takes a hundredth of it. */
const maxCheckMs = 250;

export type CompiledSchema =
  | {
      readonly isUsable: true;
      /** The problems with a value; none where the schema accepts it. Never throws. */
      readonly problemsOf: (value: unknown) => readonly ArgumentProblem[];
    }
  | { readonly isUsable: false /** Said of the schema, such as "is no JSON". */; readonly problem: string };

/**
 * Makes JSON Schema from a stranger ready to check values: bounded, well formed, with all that it refers to inside it. Nothing is
 * fetched, and no code is made of it. `root` is what its values are.
 */
export async function compileJsonSchema(jsonSchema: JsonObject, root: 'object' | 'any'): Promise<CompiledSchema> {
  const copied = copyJson(jsonSchema, schemaBounds);
  if (!copied.isCopied) {
    return { isUsable: false, problem: copied.problem };
  }
  const schema = copied.copy;
  if (!isSchemaObject(schema)) {
    return { isUsable: false, problem: 'is no JSON object' };
  }
  if (root === 'object' && schema.type !== 'object') {
    return { isUsable: false, problem: 'has not "type": "object"' };
  }
  // Loaded here, since a server whose tools all use zod starts sooner without it.
  const { dereference, validate } = await import('@cfworker/json-schema');
  const draft = draftOf(schema);
  const resolved = runBounded(() => {
    const lookup: SchemaLookup = dereference(schema);
    return { lookup, problem: findSubschemaProblem(schema, lookup) };
  }, maxCheckMs);
  if (resolved === null || resolved.result.problem !== null) {
    return { isUsable: false, problem: resolved?.result.problem ?? 'is no JSON Schema' };
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
  message: 'too large or too deep to be checked against the schema in time',
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

/** What came of the work. Null where it took too long, called itself too deeply or threw: its input is at fault then. */
type Bounded<Result> = { readonly result: Result } | null;

/** An own, empty realm: nothing of the work is evaluated in it, it only is what can be stopped. */
const realm: { work: () => void } = Object.assign(createContext({}), { work: () => undefined });
const script = new Script('work()');

/** On a busy machine the time can pass without the work having had it. */
const maxTries = 4;

/**
 * Runs synchronous work on a stranger's input, and stops it after `maxMs` wherever it is: V8 can also stop an expression that
 * backtracks without end, which no timer of JavaScript can. The work runs again, from its beginning, if it was stopped after
 * less than half of that in processor time. Nothing else runs meanwhile, so a stranger can hold up all others for `maxMs` of
 * processor time.
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
    // Not `instanceof Error`: the error can be of the other realm.
    return Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'stopped' : null;
  }
  return done;
}

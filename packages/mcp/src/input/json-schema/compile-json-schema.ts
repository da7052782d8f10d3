import { createContext, Script } from 'node:vm';
import type { OutputUnit, Schema, SchemaDraft } from '@cfworker/json-schema';
import { quoteValue } from '../../content/quote-value.ts';
import type { ArgumentProblem } from '../describe-invalid-arguments.ts';
import type { JsonObject } from '../tool-input.ts';
import { copyJson, schemaBounds } from './copy-json.ts';
import type { SchemaLookup } from './find-subschema-problem.ts';
import {
  type CheckedValue,
  findSubschemaProblem,
  isSchemaObject,
  type Place,
  pointerOf,
  targetOf,
} from './find-subschema-problem.ts';

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

type UnknownNames = Extract<ArgumentProblem, { type: 'unknown-names' }>;

/** Combining keywords, whose parts are not reported: a value that fits none of several forms is one mistake, however many forms exist. */
const choices: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'not', 'contains', 'propertyNames']);

/** Beyond this number a caller reads only the count. */
const maxUnits = 1_000;

/** Turns the library's report into problems: one per mistake, in report order, without the parts of a combined one. */
function readUnits(units: readonly OutputUnit[], checked: CheckedValue): readonly ArgumentProblem[] {
  const problems = joinUnknownNames(withoutFollowing(readList(units.slice(0, maxUnits).map(locate), checked)));
  return problems.length === 0 && units.length > 0 ? [{ path: [], type: 'other' }] : problems;
}

/** The library locates a report on a `false` schema in the value, right after the report on the keyword that holds it. */
function locate(unit: OutputUnit, index: number, units: readonly OutputUnit[]): OutputUnit {
  return unit.keyword === 'false'
    ? { ...unit, keywordLocation: `${units[index - 1]?.keywordLocation ?? '#'}/false` }
    : unit;
}

function readList(units: readonly OutputUnit[], checked: CheckedValue): readonly ArgumentProblem[] {
  const problems: ArgumentProblem[] = [];
  const read = new Set<string>();
  for (let index = 0; index < units.length; index += 1) {
    const unit = units[index];
    const key = `${unit?.keywordLocation} ${unit?.instanceLocation}`;
    if (unit === undefined || read.has(key)) {
      continue;
    }
    if (choices.has(unit.keyword)) {
      const parts = partsOf(unit, units.slice(index + 1));
      problems.push(...readChoice(unit, parts, checked));
      index += parts.length;
      continue;
    }
    if (unit.keyword === 'false') {
      problems.push(...readFalse(unit, checked, problems));
    } else if (unit.keyword !== 'properties') {
      read.add(key);
      problems.push(...readKeyword(unit.keyword, pointerOf(unit, checked)));
    }
  }
  return problems;
}

function partsOf({ keywordLocation }: OutputUnit, following: readonly OutputUnit[]): readonly OutputUnit[] {
  const end = following.findIndex((unit) => !unit.keywordLocation.startsWith(`${keywordLocation}/`));
  return end === -1 ? following : following.slice(0, end);
}

/** If only one form takes values of this type, the caller meant that form, and its problems are the problems. */
function readChoice(unit: OutputUnit, parts: readonly OutputUnit[], checked: CheckedValue): readonly ArgumentProblem[] {
  const place = pointerOf(unit, checked);
  const forms = formsOf(unit.keyword, place.schema, checked);
  if (forms.length > 1 && forms.every((form) => typesOf(form).length > 0)) {
    const meant = forms.flatMap((form, index) => (hasTypeOf(place.value, form) ? [index] : []));
    if (meant.length === 0) {
      return [{ path: place.path, type: 'wrong-type', expected: [...new Set(forms.flatMap(typesOf))] }];
    }
    const ofMeant = parts.filter((part) => part.keywordLocation.startsWith(`${unit.keywordLocation}/${meant[0]}/`));
    if (meant.length === 1 && ofMeant.length > 0) {
      return readList(ofMeant, checked);
    }
  }
  return readKeyword(unit.keyword, place);
}

/** The forms of a choice; empty if it is not a choice between forms or if one of them is not an object. */
function formsOf(keyword: string, schema: Schema, { lookup }: CheckedValue): readonly Schema[] {
  const listed = keyword === 'anyOf' || keyword === 'oneOf' ? (schema[keyword] ?? []) : [];
  const forms = listed.map((form) => (form.type === undefined ? (targetOf(form, lookup) ?? form) : form));
  return forms.every(isSchemaObject) ? forms : [];
}

/** A value at a path that allows none: usually a name that the schema does not define. */
function readFalse(
  unit: OutputUnit,
  checked: CheckedValue,
  before: readonly ArgumentProblem[],
): readonly ArgumentProblem[] {
  const keyword = unit.keywordLocation.split('/').at(-2);
  // The library reports a known name with an invalid value here again, as not evaluated.
  const { path, schema } = pointerOf(
    { ...unit, keywordLocation: unit.keywordLocation.replace(/\/false$/, '') },
    checked,
  );
  const name = path.at(-1);
  if (typeof name !== 'string') {
    return [{ path, type: 'other' }];
  }
  if (keyword === 'unevaluatedProperties' && before.some((problem) => startsWith(problem.path, path))) {
    return [];
  }
  return [
    { path: path.slice(0, -1), type: 'unknown-names', names: [name], known: Object.keys(schema.properties ?? {}) },
  ];
}

/** One problem for all unknown names at a path, before the others: a mistyped name is often missing as well. */
function joinUnknownNames(problems: readonly ArgumentProblem[]): readonly ArgumentProblem[] {
  const namesByPlace = new Map<string, { readonly problem: UnknownNames; readonly names: Set<string> }>();
  for (const problem of problems.filter(({ type }) => type === 'unknown-names') as readonly UnknownNames[]) {
    const key = JSON.stringify(problem.path);
    const joined = namesByPlace.get(key) ?? { problem, names: new Set() };
    namesByPlace.set(key, joined);
    for (const name of problem.names) {
      joined.names.add(name);
    }
  }
  return [
    ...[...namesByPlace.values()].map(({ problem, names }) => ({ ...problem, names: [...names] })),
    ...problems.filter(({ type }) => type !== 'unknown-names'),
  ];
}

/** A value of the wrong type breaks most other rules too: the caller has to repair the type. */
function withoutFollowing(problems: readonly ArgumentProblem[]): readonly ArgumentProblem[] {
  const wrongTypes = new Set(
    problems.filter(({ type }) => type === 'wrong-type').map(({ path }) => JSON.stringify(path)),
  );
  return problems.filter(({ type, path }) => type === 'wrong-type' || !wrongTypes.has(JSON.stringify(path)));
}

function startsWith(path: readonly PropertyKey[], beginning: readonly PropertyKey[]): boolean {
  return beginning.every((step, index) => path[index] === step);
}

/** The types that a schema names; empty if it leaves them open. */
function typesOf({ type = [] }: Schema): readonly string[] {
  return Array.isArray(type) ? type : [type];
}

/** Whether the schema names the type of a value. */
function hasTypeOf(value: unknown, schema: Schema): boolean {
  return typesOf(schema).some((type) => type === typeOf(value) || (type === 'integer' && Number.isInteger(value)));
}

function typeOf(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  return Array.isArray(value) ? 'array' : typeof value;
}

type Limit = Extract<ArgumentProblem, { type: 'too-much' | 'too-little' }>;

/** The problem of a keyword that failed. Empty for a keyword whose parts are reported as well. */
function readKeyword(keyword: string, place: Place): readonly ArgumentProblem[] {
  const { path, schema } = place;
  if (Object.hasOwn(limits, keyword) && limits[keyword] !== undefined) {
    return [{ path, ...limits[keyword], limit: Number(schema[keyword]) }];
  }
  if (Object.hasOwn(rules, keyword) && rules[keyword] !== undefined) {
    return [{ path, type: 'rule', message: rules[keyword](schema) }];
  }
  switch (keyword) {
    case 'type':
      return [{ path, type: 'wrong-type', expected: typesOf(schema) }];
    case 'enum':
      return [{ path, type: 'not-listed', allowed: schema.enum ?? [] }];
    case 'const':
      return [{ path, type: 'not-listed', allowed: [schema.const] }];
    case 'required':
      return missing(place, schema.required ?? []);
    case 'dependentRequired':
    case 'dependencies':
      return missing(place, dependentsOf(place.value, schema[keyword]));
    default:
      return [];
  }
}

const limits: Readonly<Record<string, Omit<Limit, 'path' | 'limit'>>> = {
  maximum: { type: 'too-much', counted: null, isExclusive: false },
  minimum: { type: 'too-little', counted: null, isExclusive: false },
  exclusiveMaximum: { type: 'too-much', counted: null, isExclusive: true },
  exclusiveMinimum: { type: 'too-little', counted: null, isExclusive: true },
  maxLength: { type: 'too-much', counted: 'character', isExclusive: false },
  minLength: { type: 'too-little', counted: 'character', isExclusive: false },
  maxItems: { type: 'too-much', counted: 'item', isExclusive: false },
  minItems: { type: 'too-little', counted: 'item', isExclusive: false },
  maxProperties: { type: 'too-much', counted: 'name', isExclusive: false },
  minProperties: { type: 'too-little', counted: 'name', isExclusive: false },
};

const rules: Readonly<Record<string, (schema: Schema) => string>> = {
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  uniqueItems: () => 'must not contain an item twice',
  pattern: ({ pattern = '' }) => `must match the pattern ${quoteValue(pattern)}`,
  format: ({ format = '' }) => `must have the format ${quoteValue(format)}`,
  anyOf: () => 'must match one of the forms that the schema lists',
  oneOf: () => 'must match exactly one of the forms that the schema lists',
  not: () => 'must not match the form that the schema forbids',
  contains: () => 'must contain an item of the form that the schema requires',
  minContains: () => 'must contain more items of the form that the schema requires',
  maxContains: () => 'must contain fewer items of the form that the schema limits',
  propertyNames: () => 'contains a name that the schema does not allow',
};

function missing({ path, value }: Place, names: readonly string[]): readonly ArgumentProblem[] {
  const absent = isSchemaObject(value) ? names.filter((name) => !Object.hasOwn(value, name)) : [];
  return [...new Set(absent)].map((name) => ({ path: [...path, name], type: 'missing' }));
}

/** The names that the names present require as well. */
function dependentsOf(value: unknown, byName: unknown): readonly string[] {
  if (!isSchemaObject(value) || !isSchemaObject(byName)) {
    return [];
  }
  return Object.entries(byName).flatMap(([name, names]) =>
    Object.hasOwn(value, name) && Array.isArray(names) ? names.map(String) : [],
  );
}

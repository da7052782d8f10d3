import type { OutputUnit, Schema } from '@cfworker/json-schema';
import { quoteValue } from '../../content/quote-value.ts';
import type { ArgumentProblem } from '../describe-invalid-arguments.ts';
import { type CheckedValue, isSchemaObject, type Place, pointerOf, targetOf } from './find-subschema-problem.ts';

type UnknownNames = Extract<ArgumentProblem, { type: 'unknown-names' }>;

/** Combining keywords, whose parts are not reported: a value that fits none of several forms is one mistake, however many forms exist. */
const choices: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'not', 'contains', 'propertyNames']);

/** Beyond this number a caller reads only the count. */
const maxUnits = 1_000;

/** Turns the library's report into problems: one per mistake, in report order, without the parts of a combined one. */
export function readUnits(units: readonly OutputUnit[], checked: CheckedValue): readonly ArgumentProblem[] {
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

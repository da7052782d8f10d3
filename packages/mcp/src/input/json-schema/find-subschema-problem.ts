import type { OutputUnit, Schema } from '@cfworker/json-schema';
import { quoteValue } from '../../content/quote-value.ts';

const single = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const;
const listed = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'] as const;
const named = ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'] as const;

/**
 * The first part of a schema, or of a schema in it, that prevents checking values; null if nothing does. Looks at schemas only: an
 * example or a default may have any form.
 */
export function findSubschemaProblem(root: Schema, lookup: SchemaLookup): string | null {
  const seen = new Set<unknown>();
  const toVisit: unknown[] = [root];
  while (toVisit.length > 0) {
    const schema = toVisit.pop();
    if (!isSchemaObject(schema) || seen.has(schema)) {
      continue;
    }
    seen.add(schema);
    const problem = findFormProblem(schema) ?? findReferenceProblem(schema, lookup);
    if (problem !== null) {
      return problem;
    }
    toVisit.push(...childrenOf(schema), targetOf(schema, lookup));
  }
  return null;
}

/** The schema that a reference points to. */
export function targetOf({ __absolute_ref__: uri }: Schema, lookup: SchemaLookup): Schema | boolean | undefined {
  return uri === undefined ? undefined : lookup[uri];
}

export function isSchemaObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function findFormProblem(schema: Schema): string | null {
  const keyword = findMalformedKeyword(schema);
  return keyword === null ? null : `has a ${quoteValue(keyword)} in a form that JSON Schema does not define`;
}

function findReferenceProblem(schema: Schema, lookup: SchemaLookup): string | null {
  return schema.$ref === undefined || targetOf(schema, lookup) !== undefined
    ? null
    : `refers to ${quoteValue(schema.$ref)}, which is not in it: nothing is fetched`;
}

function childrenOf(schema: Schema): readonly unknown[] {
  return [
    ...single.map((keyword) => schema[keyword]),
    ...listed.flatMap((keyword) => (Array.isArray(schema[keyword]) ? schema[keyword] : [])),
    ...named.flatMap((keyword) => (isSchemaObject(schema[keyword]) ? Object.values(schema[keyword]) : [])),
  ];
}

type Form = (value: unknown) => boolean;

const types: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

const isType: Form = (value) => types.has(value);
const isText: Form = (value) => typeof value === 'string';
const isNumber: Form = (value) => typeof value === 'number';
const isCount: Form = (value) => Number.isInteger(value) && Number(value) >= 0;
const isObject: Form = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Its own keywords are checked separately. */
const isSchema: Form = (value) => typeof value === 'boolean' || isObject(value);
const listOf =
  (isItem: Form): Form =>
  (value) =>
    Array.isArray(value) && value.every(isItem);
const mapOf =
  (isValue: Form): Form =>
  (value) =>
    isObject(value) && Object.values(Object(value)).every(isValue);
const isNames = listOf(isText);
const isSchemas: Form = (value) => listOf(isSchema)(value) && Array.isArray(value) && value.length > 0;
const isExpression: Form = (value) => {
  try {
    return typeof value === 'string' && new RegExp(value, 'u').source !== '';
  } catch {
    return false;
  }
};

/** The forms of the keywords that check values, in every dialect. A keyword in another form would be misread. */
const forms: Readonly<Record<string, Form>> = {
  $ref: isText,
  type: (value) => isType(value) || listOf(isType)(value),
  enum: Array.isArray,
  required: isNames,
  properties: mapOf(isSchema),
  patternProperties: (value) => mapOf(isSchema)(value) && Object.keys(Object(value)).every(isExpression),
  additionalProperties: isSchema,
  unevaluatedProperties: isSchema,
  propertyNames: isSchema,
  minProperties: isCount,
  maxProperties: isCount,
  dependentRequired: mapOf(isNames),
  dependentSchemas: mapOf(isSchema),
  dependencies: mapOf((value) => isNames(value) || isSchema(value)),
  prefixItems: isSchemas,
  items: (value) => isSchema(value) || listOf(isSchema)(value),
  additionalItems: isSchema,
  unevaluatedItems: isSchema,
  contains: isSchema,
  minContains: isCount,
  maxContains: isCount,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  pattern: isExpression,
  format: isText,
  allOf: isSchemas,
  anyOf: isSchemas,
  oneOf: isSchemas,
  not: isSchema,
  if: isSchema,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: isSchema,
  else: isSchema,
  $defs: mapOf(isSchema),
  definitions: mapOf(isSchema),
};

/** The first keyword of a schema whose form JSON Schema does not define; null if all are valid. */
function findMalformedKeyword(schema: object): string | null {
  const malformed = Object.entries(schema).find(([keyword, value]) => {
    const form = Object.hasOwn(forms, keyword) ? forms[keyword] : undefined;
    return form !== undefined && !form(value);
  });
  return malformed?.[0] ?? null;
}

/** Schemas by the URIs in references. */
export type SchemaLookup = Readonly<Record<string, Schema | boolean>>;

/** A value, and the schema that checked it. */
export type CheckedValue = {
  readonly schema: Schema;
  readonly lookup: SchemaLookup;
  readonly value: unknown;
};

/** What one report of the library is about. */
export type Place = {
  /** Names and indexes from the checked value down to the invalid one. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** The schema that has the keyword. */
  readonly schema: Schema;
};

/** Finds the place that a report names by two pointers. */
export function pointerOf({ instanceLocation, keywordLocation }: OutputUnit, checked: CheckedValue): Place {
  return { ...valueAt(instanceLocation, checked.value), schema: schemaAt(keywordLocation, checked) };
}

function valueAt(pointer: string, root: unknown): Pick<Place, 'path' | 'value'> {
  const path: (string | number)[] = [];
  let value = root;
  for (const step of stepsOf(pointer)) {
    path.push(Array.isArray(value) ? Number(step) : step);
    value = own(value, step);
  }
  return { path, value };
}

/** The last step is the keyword itself. Where the pointer goes through a reference, so does the way. */
function schemaAt(pointer: string, { schema: root, lookup }: CheckedValue): Schema {
  let schema: unknown = root;
  for (const step of stepsOf(pointer).slice(0, -1)) {
    const target = step === '$ref' && isSchemaObject(schema) ? targetOf(schema, lookup) : undefined;
    schema = target ?? own(schema, step);
  }
  return isSchemaObject(schema) ? schema : {};
}

function own(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function stepsOf(pointer: string): readonly string[] {
  const [, ...steps] = pointer.split('/');
  return steps.map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

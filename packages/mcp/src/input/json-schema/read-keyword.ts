import type { Schema } from '@cfworker/json-schema';
import { quoteValue } from '../../quote-value.ts';
import type { ArgumentProblem } from '../argument-problem.ts';
import { isSchemaObject } from './find-subschema-problem.ts';
import { typesOf } from './json-type.ts';
import type { Place } from './place-of.ts';

type Limit = Extract<ArgumentProblem, { type: 'too-much' | 'too-little' }>;

/** What is wrong at a place whose keyword was not kept. Nothing for a keyword whose parts are reported as well. */
export function readKeyword(keyword: string, place: Place): readonly ArgumentProblem[] {
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
  uniqueItems: () => 'must not have an item twice',
  pattern: ({ pattern = '' }) => `must match the pattern ${quoteValue(pattern)}`,
  format: ({ format = '' }) => `must have the format ${quoteValue(format)}`,
  anyOf: () => 'must have one of the forms that the schema lists',
  oneOf: () => 'must have exactly one of the forms that the schema lists',
  not: () => 'has a form that the schema forbids',
  contains: () => 'must have an item of the form that the schema asks for',
  minContains: () => 'must have more items of the form that the schema asks for',
  maxContains: () => 'must have fewer items of the form that the schema counts',
  propertyNames: () => 'has a name in it that the schema does not allow',
};

function missing({ path, value }: Place, names: readonly string[]): readonly ArgumentProblem[] {
  const absent = isSchemaObject(value) ? names.filter((name) => !Object.hasOwn(value, name)) : [];
  return [...new Set(absent)].map((name) => ({ path: [...path, name], type: 'missing' }));
}

/** The names that names which are there bring with them. */
function dependentsOf(value: unknown, byName: unknown): readonly string[] {
  if (!isSchemaObject(value) || !isSchemaObject(byName)) {
    return [];
  }
  return Object.entries(byName).flatMap(([name, names]) =>
    Object.hasOwn(value, name) && Array.isArray(names) ? names.map(String) : [],
  );
}

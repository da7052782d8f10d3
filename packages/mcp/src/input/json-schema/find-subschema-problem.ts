import type { Schema } from '@cfworker/json-schema';
import { quoteValue } from '../../quote-value.ts';
import { findMalformedKeyword } from './find-malformed-keyword.ts';
import type { SchemaLookup } from './place-of.ts';

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
 * The first thing in a schema, or in one that it is made of, by which values cannot be checked; null where there is none. Only what is
 * a schema is looked at: an example or a default may have any form.
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

/** The schema that a reference leads to. */
export function targetOf({ __absolute_ref__: uri }: Schema, lookup: SchemaLookup): Schema | boolean | undefined {
  return uri === undefined ? undefined : lookup[uri];
}

export function isSchemaObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function findFormProblem(schema: Schema): string | null {
  const keyword = findMalformedKeyword(schema);
  return keyword === null ? null : `has a ${quoteValue(keyword)} of a form that JSON Schema does not know`;
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

import { isJsonRecord, type JsonRecord } from '../json-record.ts';
import { findSchemaRefusal } from './find-schema-refusal.ts';

const types: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** Deeper schemas of answers are refused (python-genai 460 and others). */
const maxDepth = 40;

/**
 * Why some Google API refuses the declaration of a function; null if every API accepts it. Combines Google's documentation
 * of `FunctionDeclaration` with errors that users report, on the Gemini API and Vertex AI, older versions included, so it is
 * stricter than any single one.
 */
export function findFunctionRefusal({ name, description, parametersJsonSchema: schema }: JsonRecord): string | null {
  const nameProblem = functionNameProblem(name);
  if (nameProblem !== null) {
    return nameProblem;
  }
  if (typeof description !== 'string') {
    return 'description: missing field.';
  }
  if (schema === undefined) {
    return null;
  }
  if (!isJsonRecord(schema) || schema['type'] !== 'object' || 'anyOf' in schema || '$ref' in schema) {
    return 'parameters schema should be of type OBJECT.';
  }
  const definitions = isJsonRecord(schema['$defs']) ? Object.values(schema['$defs']) : [];
  const refusals = [schema, ...definitions].map((part) => findPartRefusal(part, 'parameters', 0));
  return findSchemaRefusal(schema) ?? refusals.find((refusal) => refusal !== null) ?? null;
}

/** The API's error for the name of a function; null for a valid name. */
export function functionNameProblem(name: unknown): string | null {
  return typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/.test(name)
    ? null
    : 'name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.';
}

function findPartRefusal(schema: unknown, path: string, depth: number): string | null {
  if (!isJsonRecord(schema)) {
    return `${path}: no object.`;
  }
  if (depth > maxDepth) {
    return 'A schema in the request exceeds the maximum allowed nesting depth.';
  }
  if ('$ref' in schema) {
    return null;
  }
  return (
    findOwnRefusal(schema, path) ??
    first(childrenOf(schema), ([step, child]) => findPartRefusal(child, `${path}${step}`, depth + 1))
  );
}

function findOwnRefusal(schema: JsonRecord, path: string): string | null {
  return 'anyOf' in schema
    ? findChoiceRefusal(schema, path)
    : (findTypeRefusal(schema, path) ?? findEnumRefusal(schema, path) ?? findNameRefusal(schema, path));
}

function findChoiceRefusal({ anyOf, $defs: _, ...others }: JsonRecord, path: string): string | null {
  return Array.isArray(anyOf) && anyOf.length > 0 && Object.keys(others).length === 0
    ? null
    : `${path}: schema specified other fields alongside any_of. When using any_of, it must be the only field set.`;
}

function findTypeRefusal(schema: JsonRecord, path: string): string | null {
  const { type, items, format, description = '' } = schema;
  const single = singleTypeOf(type);
  if (single === null) {
    return `Invalid value at '${path}.type': ${JSON.stringify(type)}`;
  }
  if (single === 'array' && !isJsonRecord(items)) {
    return `${path}.items: missing field.`;
  }
  if ('prefixItems' in schema || 'oneOf' in schema || typeof description !== 'string') {
    return `Unknown field at '${path}'.`;
  }
  return format === undefined || (single === 'string' && format === 'date-time')
    ? null
    : `${path}.format: only 'enum' and 'date-time' are supported for STRING type.`;
}

/** A type, or one with null. */
function singleTypeOf(type: unknown): unknown {
  const [single, ...others] = [type].flat().filter((one) => one !== 'null');
  const isNullable = Array.isArray(type) && type.length === 2 && type.includes('null');
  if (type === 'null') {
    return 'null';
  }
  return types.has(single) && others.length === 0 && (isNullable || !Array.isArray(type)) ? single : null;
}

function findEnumRefusal({ enum: values, type }: JsonRecord, path: string): string | null {
  if (values === undefined) {
    return null;
  }
  if (singleTypeOf(type) !== 'string') {
    return `${path}.enum: only allowed for STRING type`;
  }
  const empty = Array.isArray(values) ? values.findIndex((value) => typeof value !== 'string' || value === '') : 0;
  return empty < 0 ? null : `${path}.enum[${empty}]: cannot be empty`;
}

function findNameRefusal({ properties }: JsonRecord, path: string): string | null {
  const names = isJsonRecord(properties) ? Object.keys(properties) : [];
  const wrong = names.find((name) => !/^[A-Za-z_]\w{0,63}$/.test(name));
  return wrong === undefined ? null : `${path}.properties: invalid parameter name ${JSON.stringify(wrong)}.`;
}

type Child = readonly [step: string, schema: unknown];

function childrenOf({ properties, items, anyOf, additionalProperties }: JsonRecord): readonly Child[] {
  return [
    ...(isJsonRecord(properties)
      ? Object.entries(properties).map(([name, value]): Child => [`.properties[${name}]`, value])
      : []),
    ...(items === undefined ? [] : [['.items', items] as const]),
    ...(Array.isArray(anyOf) ? anyOf.map((one, index): Child => [`.any_of[${index}]`, one]) : []),
    ...(isJsonRecord(additionalProperties) ? [['.additional_properties', additionalProperties] as const] : []),
  ];
}

function first(children: readonly Child[], find: (child: Child) => string | null): string | null {
  for (const child of children) {
    const found = find(child);
    if (found !== null) {
      return found;
    }
  }
  return null;
}

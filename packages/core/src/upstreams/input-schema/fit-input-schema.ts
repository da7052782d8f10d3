import { findOversize } from '../../json/find-oversize.ts';
import { isObject, type JsonObject } from '../../json/json-object.ts';
import { toGeminiSchema } from '../../json/to-gemini-schema.ts';
import type { Sha256 } from '../../ports/sha256.ts';
import { ArgumentNames } from './argument-names.ts';
import { TypedSchema } from './typed-schema.ts';

/** Type names that servers use instead of those of JSON Schema. */
const typeNames: Readonly<Record<string, string>> = {
  ...{ int: 'integer', int32: 'integer', int64: 'integer', long: 'integer' },
  ...{ float: 'number', double: 'number', decimal: 'number' },
  ...{ str: 'string', text: 'string', bool: 'boolean', dict: 'object', map: 'object', list: 'array', none: 'null' },
};

const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
const lists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const singles: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'additionalItems']);

/** A longer default says more about itself than about the argument. */
const maxDefaultCharacters = 200;

export type FitSchema =
  | {
      readonly fits: true;
      readonly schema: JsonObject;
      /** Replaced argument names, with the original of each: `restoreNames` puts them back. */
      readonly originals: ReadonlyMap<string, string>;
    }
  /** Completes a sentence about the schema, such as "is too large". */
  | { readonly fits: false; readonly reason: string };

/** Ten times the largest of 538 tools of real servers, processed in a few milliseconds. */
const limits = { maxValues: 2_500, maxCharacters: 80_000, maxDepth: 60 };

/** Each request of a run carries the schemas of all its tools. */
const maxFitCharacters = 40_000;

/**
 * Converts any untrusted JSON Schema of a tool's arguments into one that every Gemini API accepts, or says why that is impossible. A tool without a
 * schema takes an object. The result may accept more than the original and, if the original leaves the type open, less: check arguments against the
 * original. It has no title, and the descriptions mention each dropped keyword. Time and size are bounded for any input; nothing is fetched.
 */
export function fitInputSchema(inputSchema: unknown, sha256: Sha256): FitSchema {
  const given =
    inputSchema === undefined || inputSchema === null || inputSchema === true ? { type: 'object' } : inputSchema;
  const excess = findOversize(given, limits);
  if (excess !== null) {
    return { fits: false, reason: excess };
  }
  if (!isObject(given)) {
    return { fits: false, reason: given === false ? 'accepts no arguments at all' : 'is not a JSON object' };
  }
  const modern = toModernSchema(given);
  const relaxed = toGeminiSchema(isObject(modern) ? modern : {});
  const names = new ArgumentNames(sha256);
  const schema = new TypedSchema(relaxed, names).root(relaxed);
  if (schema === null) {
    return { fits: false, reason: 'is not the schema of an object' };
  }
  return JSON.stringify(schema).length > maxFitCharacters
    ? { fits: false, reason: `has more than ${maxFitCharacters} characters in the form that Gemini accepts` }
    : { fits: true, schema, originals: names.originals };
}

/**
 * A schema of any dialect in use (drafts 4 to 2020-12, OpenAPI's `nullable`, types by other names) with the keywords of 2020-12. A default becomes
 * part of the description. Recurses once for each level.
 */
function toModernSchema(schema: unknown): unknown {
  if (!isObject(schema)) {
    return schema;
  }
  const members = Object.entries(schema).map(([keyword, value]) => [keyword, modernMember(keyword, value)] as const);
  return withNull(withDefault(withKnownTypes(withTuple(withReference(Object.fromEntries(members))))));
}

function modernMember(keyword: string, value: unknown): unknown {
  if (maps.has(keyword) && isObject(value)) {
    // A property that is never present can be dropped.
    const parts = Object.entries(value).filter(([, part]) => part !== false);
    return Object.fromEntries(parts.map(([name, part]) => [name, toModernSchema(part)]));
  }
  if (Array.isArray(value) && (lists.has(keyword) || keyword === 'items')) {
    return value.map(toModernSchema);
  }
  return singles.has(keyword) ? toModernSchema(value) : value;
}

function withReference({ $recursiveRef, $dynamicRef, ...schema }: JsonObject): JsonObject {
  const reference = [schema['$ref'], $recursiveRef, $dynamicRef].find((one) => typeof one === 'string');
  const { $ref: _, ...others } = schema;
  return reference === undefined ? others : { ...others, $ref: reference };
}

function withTuple({ additionalItems, ...schema }: JsonObject): JsonObject {
  if (!Array.isArray(schema['items'])) {
    return schema;
  }
  const { items, ...others } = schema;
  return { ...others, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) };
}

function withKnownTypes(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (typeof type === 'string') {
    return { ...schema, type: knownType(type) };
  }
  return Array.isArray(type) ? { ...schema, type: [...new Set(type.map(knownType))] } : schema;
}

function knownType(type: unknown): unknown {
  const name = typeof type === 'string' ? type.toLowerCase() : type;
  return typeof name === 'string' && Object.hasOwn(typeNames, name) ? typeNames[name] : name;
}

function withDefault(schema: JsonObject): JsonObject {
  const json = 'default' in schema ? JSON.stringify(schema['default']) : undefined;
  if (json === undefined || json === 'null' || json.length > maxDefaultCharacters) {
    return schema;
  }
  const own = typeof schema['description'] === 'string' ? `${schema['description']}\n` : '';
  return { ...schema, description: `${own}Default: ${json}` };
}

/** OpenAPI 3.0. */
function withNull({ nullable, ...schema }: JsonObject): JsonObject {
  if (nullable !== true) {
    return schema;
  }
  const { type, anyOf, $ref, ...others } = schema;
  if (Array.isArray(anyOf)) {
    return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  }
  if ($ref !== undefined) {
    return { ...others, anyOf: [{ $ref }, { type: 'null' }] };
  }
  return type === undefined ? schema : { ...schema, type: [...new Set([type, 'null'].flat())] };
}

import { isObject, type JsonObject } from '../../gemini-schema/json-object.ts';

/** What servers call types that JSON Schema calls otherwise. */
const typeNames: Readonly<Record<string, string>> = {
  ...{ int: 'integer', int32: 'integer', int64: 'integer', long: 'integer' },
  ...{ float: 'number', double: 'number', decimal: 'number' },
  ...{ str: 'string', text: 'string', bool: 'boolean', dict: 'object', map: 'object', list: 'array', none: 'null' },
};

const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
const lists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const singles: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'additionalItems']);

/** A longer default says more of itself than of the argument. */
const maxDefaultCharacters = 200;

/**
 * A schema of any dialect that servers use (drafts 4 to 2020-12, OpenAPI's `nullable`, types by other names) with the keywords of
 * 2020-12. A default becomes a part of the description. Recurses once a level.
 */
export function toModernSchema(schema: unknown): unknown {
  if (!isObject(schema)) {
    return schema;
  }
  const members = Object.entries(schema).map(([keyword, value]) => [keyword, modernMember(keyword, value)] as const);
  return withNull(withDefault(withKnownTypes(withTuple(withReference(Object.fromEntries(members))))));
}

function modernMember(keyword: string, value: unknown): unknown {
  if (maps.has(keyword) && isObject(value)) {
    // A property that is never there needs no place.
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

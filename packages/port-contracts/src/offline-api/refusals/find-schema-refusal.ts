import { isJsonRecord, type JsonRecord } from '../json-record.ts';

/** All that `responseJsonSchema` may hold (Google's reference of `GenerationConfig`, v1beta, November 2026), and `propertyOrdering`. */
const keywords: ReadonlySet<string> = new Set([
  ...['$id', '$defs', '$ref', '$anchor', 'type', 'format', 'title', 'description', 'enum', 'propertyOrdering'],
  ...['items', 'prefixItems', 'minItems', 'maxItems', 'minimum', 'maximum', 'anyOf', 'oneOf'],
  ...['properties', 'additionalProperties', 'required'],
]);

/** Reported by users of large schemas: the API adds up the `maxItems` of all arrays without saying so. */
const maxItemsTogether = 900;

/**
 * Why the Gemini API refuses a schema for its answers; null if it accepts it. Stricter than models that ignore unknown
 * keywords, and never more lenient than any model.
 */
export function findSchemaRefusal(schema: JsonRecord): string | null {
  return new SchemaCheck(schema).find();
}

class SchemaCheck {
  readonly #root: JsonRecord;
  readonly #definitions: JsonRecord;
  #maxItems = 0;

  constructor(root: JsonRecord) {
    this.#root = root;
    this.#definitions = isJsonRecord(root['$defs']) ? root['$defs'] : {};
  }

  find(): string | null {
    const parts = [this.#root, ...Object.values(this.#definitions)];
    const refusal = firstOf(parts, (part) => this.#check(part)) ?? this.#findCycle();
    return refusal ?? (this.#maxItems > maxItemsTogether ? 'Request contains an invalid argument.' : null);
  }

  #check(schema: unknown): string | null {
    if (!isJsonRecord(schema)) {
      return 'Invalid value in the schema: it is not an object.';
    }
    const unknown = Object.keys(schema).find((keyword) => !keywords.has(keyword));
    if (unknown !== undefined) {
      return `Unknown name "${unknown}" at 'generation_config.response_json_schema': Cannot find field.`;
    }
    this.#maxItems += typeof schema['maxItems'] === 'number' ? schema['maxItems'] : 0;
    return (
      this.#checkReference(schema) ?? checkValues(schema) ?? firstOf(childrenOf(schema), (child) => this.#check(child))
    );
  }

  #checkReference(schema: JsonRecord): string | null {
    const { $ref } = schema;
    if ($ref === undefined) {
      return null;
    }
    const name = /^#\/\$defs\/(\w+)$/.exec(String($ref))?.[1];
    if ($ref !== '#' && (name === undefined || !Object.hasOwn(this.#definitions, name))) {
      return `Reference "${String($ref)}" leads nowhere.`;
    }
    const sibling = Object.keys(schema).find((keyword) => !keyword.startsWith('$'));
    return sibling === undefined ? null : `"${sibling}" is next to a reference, which has to be alone.`;
  }

  /** The schemas that require each other, so that no value is ever complete. */
  #findCycle(): string | null {
    // Visits each definition once: forty definitions that name the next one twice have a million million paths.
    const sound = new Set<unknown>();
    const needed = (schema: unknown, path: readonly unknown[]): boolean => {
      if (!isJsonRecord(schema)) {
        return false;
      }
      const target = this.#targetOf(schema);
      if (target === undefined || path.includes(target)) {
        return target !== undefined || neededIn(schema).some((child) => needed(child, path));
      }
      if (sound.has(target) || !needed(target, [...path, target])) {
        sound.add(target);
        return false;
      }
      return true;
    };
    const roots = [this.#root, ...Object.values(this.#definitions)];
    return roots.some((root) => needed(root, [root])) ? 'A cyclic reference is in a required property.' : null;
  }

  #targetOf({ $ref }: JsonRecord): unknown {
    return $ref === '#' ? this.#root : this.#definitions[String($ref).slice('#/$defs/'.length)];
  }
}

function checkValues({ enum: values = [], required = [], properties = {} }: JsonRecord): string | null {
  if (!Array.isArray(values) || values.some((value) => typeof value !== 'string' && typeof value !== 'number')) {
    return 'Invalid value at enum: it may hold strings and numbers.';
  }
  const missing = Array.isArray(required)
    ? required.find((name) => !Object.hasOwn(Object(properties), name))
    : 'a list';
  return missing === undefined ? null : `required: property "${String(missing)}" is not defined.`;
}

function neededIn(schema: JsonRecord): readonly unknown[] {
  const { properties, required = [], items, prefixItems = [], anyOf = [], oneOf = [] } = schema;
  const named = isJsonRecord(properties) ? Object.entries(properties) : [];
  const names = Array.isArray(required) ? required : [];
  return [
    ...named.flatMap(([name, value]) => (names.includes(name) ? [value] : [])),
    ...[items, prefixItems, anyOf, oneOf].flat(),
  ];
}

function childrenOf(schema: JsonRecord): readonly unknown[] {
  const { properties, additionalProperties, items, prefixItems = [], anyOf = [], oneOf = [] } = schema;
  return [
    ...(isJsonRecord(properties) ? Object.values(properties) : []),
    ...(additionalProperties === undefined || typeof additionalProperties === 'boolean' ? [] : [additionalProperties]),
    ...(items === undefined ? [] : [items]),
    ...[prefixItems, anyOf, oneOf].flat(),
  ];
}

function firstOf<Part>(parts: readonly Part[], find: (part: Part) => string | null): string | null {
  for (const part of parts) {
    const found = find(part);
    if (found !== null) {
      return found;
    }
  }
  return null;
}

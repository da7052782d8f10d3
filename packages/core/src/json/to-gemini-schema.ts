import { asObject, isObject, type JsonObject } from './json-object.ts';

/** Keywords that the API ignores or supports only within narrow limits, and that a few words can describe. */
const told = [
  ...['format', 'pattern', 'minLength', 'maxLength', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
];

const maxCharacters = 500;

/**
 * The part of a JSON Schema that the Gemini API supports, as `responseJsonSchema` of a `GenerationConfig` and `parametersJsonSchema` of a
 * `FunctionDeclaration` (v1beta; Google's reference of both, November 2026). The result accepts every value that the whole schema accepts, and more;
 * descriptions mention each dropped keyword. Time and size are bounded, whatever the schema refers to.
 */
export function toGeminiSchema(schema: JsonObject): JsonObject {
  return new RelaxedSchema(schema).relax(schema);
}

/** The API refuses deeper schemas, and large ones at a smaller depth. Deeper parts accept any value. */
const maxDepth = 32;
const maxParts = 2_000;
const maxMerges = 200;

const types: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
const formats: ReadonlySet<unknown> = new Set(['date-time', 'date', 'time']);

/** The position of a part in a schema. */
type Place = {
  readonly depth: number;
  /** Whether the part lies in an optional property of its definition. */
  readonly isOptional: boolean;
};

class RelaxedSchema {
  /** The schema that references are resolved in. */
  readonly #whole: WholeSchema;
  readonly #names = new Map<unknown, string>();
  readonly #definitions = new Map<string, JsonObject | 'in work'>();
  #parts = 0;

  constructor(root: JsonObject) {
    // A part with its own id resets the base of pointers: then no reference is followed.
    const hasInnerId = Object.values(root).some((value) => JSON.stringify(value)?.includes('"$id"'));
    this.#whole = { root: hasInnerId ? {} : root, mergesLeft: maxMerges };
  }

  relax(schema: JsonObject): JsonObject {
    const relaxed = this.#relax(schema, { depth: 0, isOptional: false });
    return this.#definitions.size === 0 ? relaxed : { ...relaxed, $defs: Object.fromEntries(this.#definitions) };
  }

  #relax(schema: unknown, place: Place): JsonObject {
    this.#parts += 1;
    if (!isObject(schema) || place.depth > maxDepth || this.#parts > maxParts) {
      return {};
    }
    return typeof schema['$ref'] === 'string'
      ? this.#relaxReference(schema['$ref'], schema, place)
      : this.#relaxKeywords(mergeAllOf(schema, this.#whole), { ...place, depth: place.depth + 1 });
  }

  #relaxReference(reference: string, schema: JsonObject, place: Place): JsonObject {
    const relaxed = this.#refer(reference, place);
    const description = describeLost(schema, []);
    if (description.description === undefined) {
      return relaxed;
    }
    // The API accepts a reference only on its own.
    return '$ref' in relaxed ? { anyOf: [relaxed], ...description } : description;
  }

  #refer(reference: string, { isOptional }: Place): JsonObject {
    const target = followReference(this.#whole.root, reference);
    if (!isObject(target)) {
      return {};
    }
    const name = this.#names.get(target) ?? this.#nameFor(reference);
    this.#names.set(target, name);
    const known = this.#definitions.get(name);
    // The API allows a definition to refer to itself only from optional properties.
    if (known === 'in work' && !isOptional) {
      return {};
    }
    if (known === undefined) {
      this.#definitions.set(name, 'in work');
      this.#definitions.set(name, this.#relax(target, { depth: 0, isOptional: false }));
    }
    return { $ref: `#/$defs/${name}` };
  }

  #nameFor(reference: string): string {
    const name = nameIn(reference);
    if (/^\w{1,60}$/.test(name) && !this.#definitions.has(name)) {
      return name;
    }
    let number = this.#definitions.size + 1;
    while (this.#definitions.has(`part_${number}`)) {
      number += 1;
    }
    return `part_${number}`;
  }

  #relaxKeywords(schema: JsonObject, place: Place): JsonObject {
    const { title, type, format, minimum, maximum } = schema;
    const choices = [schema['anyOf'], schema['oneOf']].find(Array.isArray);
    const isTyped = (Array.isArray(type) ? type : [type]).every((one) => types.has(one));
    return {
      ...(typeof title === 'string' && { title }),
      ...describeLost(schema, formats.has(format) ? ['format'] : []),
      ...relaxValues(schema),
      ...(isTyped && { type }),
      ...(formats.has(format) && { format }),
      ...(typeof minimum === 'number' && { minimum }),
      ...(typeof maximum === 'number' && { maximum }),
      ...this.#relaxProperties(schema, place),
      ...this.#relaxItems(schema, place),
      ...(choices !== undefined && { anyOf: choices.map((choice: unknown) => this.#relax(choice, place)) }),
    };
  }

  #relaxProperties(schema: JsonObject, { depth, isOptional }: Place): JsonObject {
    const { properties, additionalProperties: others } = schema;
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    const entries = Object.entries(asObject(properties)).map(([name, value]) => {
      return [name, this.#relax(value, { depth, isOptional: isOptional || !required.includes(name) })] as const;
    });
    // The API may require only properties that it knows.
    const names = required.filter((name) => entries.some(([known]) => known === name));
    const closes = others !== undefined && schema['patternProperties'] === undefined;
    return {
      ...(entries.length > 0 && { properties: Object.fromEntries(entries) }),
      ...(names.length > 0 && { required: names }),
      ...(closes && {
        additionalProperties: typeof others === 'boolean' ? others : this.#relax(others, { depth, isOptional: true }),
      }),
    };
  }

  /** Older dialects use `items` for positional items. They are dropped, with the rest of such a list. */
  #relaxItems({ prefixItems, items }: JsonObject, place: Place): JsonObject {
    return {
      ...(Array.isArray(prefixItems) && { prefixItems: prefixItems.map((item) => this.#relax(item, place)) }),
      ...(isObject(items) && { items: this.#relax(items, place) }),
    };
  }
}

/**
 * The description of a schema, with the constraints that the API does not enforce: the model reads them there. `kept` are keywords that are sent
 * unchanged.
 */
function describeLost(schema: JsonObject, kept: readonly string[]): { readonly description?: string } {
  const own = typeof schema['description'] === 'string' ? [schema['description']] : [];
  const lost = told.filter((keyword) => keyword in schema && !kept.includes(keyword));
  const json = JSON.stringify(Object.fromEntries(lost.map((keyword) => [keyword, schema[keyword]])));
  const rest = lost.length === 0 || json.length > maxCharacters ? [] : [`In JSON Schema also: ${json}`];
  const description = [...own, ...rest].join('\n');
  return description === '' ? {} : { description };
}

/** The schema that a part belongs to, and how many more parts may be merged in it. */
type WholeSchema = { readonly root: JsonObject; mergesLeft: number };

/**
 * Merges `allOf` into one schema, because the API does not support it. The result accepts everything that the parts accept together, and more: if two
 * parts use the same keyword, the first one counts.
 */
function mergeAllOf(schema: JsonObject, whole: WholeSchema, seen: Set<JsonObject> = new Set()): JsonObject {
  const { allOf, ...own } = schema;
  let merged: JsonObject = own;
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const resolved = resolveSchema(whole.root, part);
    // Each part once: parts that refer to each other would recurse forever, or double at each step.
    if (resolved !== null && !seen.has(resolved) && whole.mergesLeft > 0) {
      whole.mergesLeft -= 1;
      seen.add(resolved);
      merged = merge(merged, mergeAllOf(resolved, whole, seen));
    }
  }
  return merged;
}

function merge(first: JsonObject, second: JsonObject): JsonObject {
  // `additionalProperties` applies to the properties that its own schema does not name.
  const { additionalProperties: _one, ...ofFirst } = first;
  const { additionalProperties: _other, prefixItems, items, ...ofSecond } = second;
  const hasItems = 'prefixItems' in first || 'items' in first;
  const properties = { ...asObject(second['properties']), ...asObject(first['properties']) };
  const required = [...namesIn(first['required']), ...namesIn(second['required'])];
  return {
    // Both describe the items that the other leaves over, so they come from one of the two.
    ...(hasItems ? {} : { ...(prefixItems !== undefined && { prefixItems }), ...(items !== undefined && { items }) }),
    ...ofSecond,
    ...ofFirst,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

function namesIn(required: unknown): readonly unknown[] {
  return Array.isArray(required) ? required : [];
}

/** The target of a reference that is a JSON Pointer into the schema itself; undefined for any other reference and for a dangling one. */
function followReference(root: JsonObject, reference: string): unknown {
  if (!/^#(?:\/|$)/.test(reference)) {
    return undefined;
  }
  return stepsOf(reference).reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined,
    root,
  );
}

/** The last name in a reference, which people recognise. */
function nameIn(reference: string): string {
  return stepsOf(reference).at(-1) ?? 'root';
}

/** The object that a schema resolves to through all references; null if it is not an object or the references form a cycle. */
function resolveSchema(root: JsonObject, schema: unknown): JsonObject | null {
  const seen = new Set<unknown>();
  let resolved = schema;
  while (isObject(resolved) && typeof resolved['$ref'] === 'string' && !seen.has(resolved)) {
    seen.add(resolved);
    resolved = followReference(root, resolved['$ref']);
  }
  return isObject(resolved) && !seen.has(resolved) ? resolved : null;
}

function stepsOf(reference: string): readonly string[] {
  const [, ...steps] = reference.split('/');
  return steps.map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** The values of `enum` or `const`, as far as the API supports them: it allows only texts and numbers. */
function relaxValues(schema: JsonObject): JsonObject {
  const listed = 'const' in schema ? [schema['const']] : schema['enum'];
  if (!Array.isArray(listed) || listed.length === 0) {
    return {};
  }
  const choices = [...new Set(listed.map(typeOf))].map((type) =>
    type === 'string' || type === 'number' ? { type, enum: listed.filter((value) => typeof value === type) } : { type },
  );
  const [only, ...others] = choices;
  return others.length === 0 && only !== undefined ? only : { anyOf: choices };
}

function typeOf(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  return Array.isArray(value) ? 'array' : typeof value;
}

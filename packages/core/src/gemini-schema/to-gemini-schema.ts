import { describeLost } from './describe-lost.ts';
import { followReference, nameIn } from './follow-reference.ts';
import { asObject, isObject, type JsonObject } from './json-object.ts';
import { mergeAllOf, type WholeSchema } from './merge-all-of.ts';
import { relaxValues } from './relax-values.ts';

/**
 * The part of a JSON Schema that the Gemini API takes, as `responseJsonSchema` of a `GenerationConfig` and `parametersJsonSchema` of a
 * `FunctionDeclaration` (v1beta; Google's reference of both, November 2026): a schema that accepts every value that the whole one
 * accepts, and more. The descriptions say what is lost. The schema has the form that JSON Schema gives it; the time and the
 * result are bounded, whatever it refers to.
 */
export function toGeminiSchema(schema: JsonObject): JsonObject {
  return new RelaxedSchema(schema).relax(schema);
}

/** The API refuses deeper schemas, and larger ones sooner than that. What is beyond may be anything. */
const maxDepth = 32;
const maxParts = 2_000;
const maxMerges = 200;

const types: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
const formats: ReadonlySet<unknown> = new Set(['date-time', 'date', 'time']);

/** Where a part of a schema is. */
type Place = {
  readonly depth: number;
  /** Whether it lies in a property that may be missing, of the definition that it is in. */
  readonly isOptional: boolean;
};

class RelaxedSchema {
  /** That references are followed in. */
  readonly #whole: WholeSchema;
  readonly #names = new Map<unknown, string>();
  readonly #definitions = new Map<string, JsonObject | 'in work'>();
  #parts = 0;

  constructor(root: JsonObject) {
    // Where a part has an id of its own, pointers begin there: none is followed then.
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
    // The API takes a reference alone.
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
    // The API lets a definition refer to itself only from properties that may be missing.
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
    // The API requires only what it knows.
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

  /** Items by place have been `items` in older dialects. They are left out, with the rest of such a list. */
  #relaxItems({ prefixItems, items }: JsonObject, place: Place): JsonObject {
    return {
      ...(Array.isArray(prefixItems) && { prefixItems: prefixItems.map((item) => this.#relax(item, place)) }),
      ...(isObject(items) && { items: this.#relax(items, place) }),
    };
  }
}

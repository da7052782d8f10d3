import { asObject, isObject, type JsonObject } from '../../json/json-object.ts';
import { escapeControls } from '../../text/escape-controls.ts';
import type { ArgumentNames } from './argument-names.ts';

/** Any value except a list inside a list. The API requires a type everywhere, also for list members. */
const scalars: readonly JsonObject[] = ['string', 'number', 'boolean', 'object', 'null'].map((type) => ({ type }));
const anything: readonly JsonObject[] = [...scalars, { type: 'array', items: { anyOf: scalars } }];

const maxDescriptionCharacters = 2_000;

/** A longer definition is referenced, even if that loses the description at that place. */
const maxCopiedCharacters = 500;

const structure = ['enum', 'properties', 'items', 'prefixItems'];

/**
 * Narrows the result of `toGeminiSchema` to the form that every Google API accepts, including the oldest: each part has one type (or one and null),
 * or is a choice of such parts, or only a reference; each list declares its members; only texts are enumerated. Descriptions mention each
 * dropped keyword. Argument names become plain.
 */
export class TypedSchema {
  readonly #names: ArgumentNames;
  readonly #definitions: JsonObject;

  constructor(relaxed: JsonObject, names: ArgumentNames) {
    this.#names = names;
    this.#definitions = asObject(relaxed['$defs']);
  }

  /** The root, which is an object; null if it cannot be one. */
  root(relaxed: JsonObject): JsonObject | null {
    const { $defs: _, ...own } = this.#resolve(relaxed);
    const alternatives = Array.isArray(own['anyOf']) ? own['anyOf'].map((one) => this.#resolve(one)) : [];
    const types = [own['type'] ?? 'object'].flat();
    const accepts = ({ type = 'object' }: JsonObject) => [type].flat().includes('object');
    if (!types.includes('object') || (alternatives.length > 0 && !alternatives.some(accepts))) {
      return null;
    }
    return this.#withDefinitions(this.#object(mergeAlternatives(own, alternatives)));
  }

  #withDefinitions(root: JsonObject): JsonObject {
    const kept = new Map<string, JsonObject>();
    const waiting = namesOfReferences(root);
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (!kept.has(name)) {
        const typed = this.part(this.#definitions[name]);
        kept.set(name, typed);
        waiting.push(...namesOfReferences(typed));
      }
    }
    return kept.size === 0 ? root : { ...root, $defs: Object.fromEntries(kept) };
  }

  part(schema: unknown, inherited?: unknown): JsonObject {
    if (!isObject(schema)) {
      return { anyOf: anything };
    }
    if (schema['$ref'] !== undefined) {
      return { $ref: schema['$ref'] };
    }
    const { anyOf, ...own } = schema;
    const type = own['type'] ?? inherited;
    if (!Array.isArray(anyOf)) {
      return this.#typed(own, typesOf(own, type));
    }
    if (structure.some((keyword) => keyword in own)) {
      const isObjectPart = 'properties' in own;
      return isObjectPart
        ? this.#object(
            mergeAlternatives(
              own,
              anyOf.map((one) => this.#resolve(one)),
            ),
          )
        : this.part(own);
    }
    return this.#choice(
      own,
      anyOf.map((one) => ({ schema: one, type })),
    );
  }

  #choice(own: JsonObject, alternatives: readonly { readonly schema: unknown; readonly type?: unknown }[]): JsonObject {
    const [only] = alternatives;
    if (only === undefined) {
      return withDescription({ anyOf: anything }, own);
    }
    if (alternatives.length === 1) {
      const typed = this.part(this.#copied(only.schema, own), only.type);
      return withDescription(typed, own);
    }
    const parts = alternatives.map(({ schema, type }) => this.part(schema, type));
    // A nested choice is merged into the outer one.
    const flat = parts.flatMap((part) => (Array.isArray(part['anyOf']) ? part['anyOf'].filter(isObject) : [part]));
    const distinct = [...new Map(flat.map((part) => [JSON.stringify(part), part])).values()];
    return withDescription(asChoice(distinct), own);
  }

  /** A small definition replaces the reference to it, so that it can be described there. */
  #copied(schema: unknown, { description }: JsonObject): unknown {
    const resolved = this.#resolve(schema);
    const isReference = isObject(schema) && schema['$ref'] !== undefined;
    return isReference && description !== undefined && JSON.stringify(resolved).length <= maxCopiedCharacters
      ? resolved
      : schema;
  }

  #typed(own: JsonObject, types: readonly unknown[]): JsonObject {
    const [type, ...others] = types.filter((one) => one !== 'null');
    const isNullable = types.includes('null');
    if (type === undefined) {
      return isNullable ? withDescription({ type: 'null' }, own) : withDescription({ anyOf: anything }, own);
    }
    if (others.length > 0) {
      return this.#choice(
        own,
        types.map((one) => ({ schema: { ...withoutText(own), type: one } })),
      );
    }
    const typed = this.#ofType(own, type);
    return isNullable ? { ...typed, type: [typed['type'], 'null'] } : typed;
  }

  #ofType(own: JsonObject, type: unknown): JsonObject {
    if (type === 'object') {
      return this.#object(own);
    }
    const { part, lost } = scalarPart(own, type);
    const typed = type === 'array' ? { ...part, items: this.#items(own) } : part;
    return withDescription(typed, { description: joined([own['description'], ...lost]) });
  }

  #items({ prefixItems, items }: JsonObject): JsonObject {
    const places: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
    return places.length === 0
      ? this.part(items)
      : this.#choice(
          {},
          [...places, ...(items === undefined ? [] : [items])].map((schema) => ({ schema })),
        );
  }

  #object(own: JsonObject): JsonObject {
    const { properties, required, additionalProperties: others } = own;
    const entries = Object.entries(asObject(properties)).map(
      ([name, value]) => [this.#names.nameOf(name), this.part(value)] as const,
    );
    const names = Array.isArray(required) ? required.map((name) => this.#names.nameOf(String(name))) : [];
    const isOpen = !isObject(others) || Object.keys(others).length === 0;
    const typed = {
      type: 'object',
      ...(entries.length > 0 && { properties: Object.fromEntries(entries) }),
      ...(names.length > 0 && { required: names }),
      ...(others === false && { additionalProperties: false }),
      ...(!isOpen && { additionalProperties: this.part(others) }),
    };
    return withDescription(typed, own);
  }

  /** The final target of a reference. */
  #resolve(schema: unknown): JsonObject {
    let resolved = schema;
    for (let steps = 0; steps < 100 && isObject(resolved) && resolved['$ref'] !== undefined; steps += 1) {
      resolved = this.#definitions[String(resolved['$ref']).slice('#/$defs/'.length)];
    }
    return isObject(resolved) && resolved['$ref'] === undefined ? resolved : {};
  }
}

/** The parts as one: a type and null need no choice. */
function asChoice(parts: readonly JsonObject[]): JsonObject {
  const [first, second] = parts.filter(({ type }) => type !== 'null');
  if (first === undefined || second !== undefined) {
    return first === undefined ? { type: 'null' } : { anyOf: parts };
  }
  if (parts.length === 1 || [first['type']].flat().includes('null')) {
    return first;
  }
  return first['type'] === undefined ? { anyOf: parts } : { ...first, type: [first['type'], 'null'] };
}

function withoutText({ title: _, description: __, ...own }: JsonObject): JsonObject {
  return own;
}

/** A choice has no description of its own, so it goes to the first part that can have one. */
function withDescription(typed: JsonObject, { description }: JsonObject): JsonObject {
  if (typeof description !== 'string' || description === '' || typed['$ref'] !== undefined) {
    return typed;
  }
  const { anyOf } = typed;
  if (!Array.isArray(anyOf)) {
    return { ...typed, description: shown(description) };
  }
  const place = anyOf.findIndex((part) => isObject(part) && part['$ref'] === undefined);
  const described = (part: unknown) =>
    withDescription(asObject(part), { description: joined([description, asObject(part)['description']]) });
  return { ...typed, anyOf: anyOf.map((part, index) => (index === place ? described(part) : part)) };
}

function joined(texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n');
}

function shown(description: string): string {
  const cut =
    description.length > maxDescriptionCharacters ? `${description.slice(0, maxDescriptionCharacters)}…` : description;
  return escapeControls(cut);
}

function namesOfReferences(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) {
    return [];
  }
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keyword === '$ref' && typeof value === 'string' ? [value.slice('#/$defs/'.length)] : namesOfReferences(value),
  );
}

/** A part of a type without members, and a description of its dropped members. */
type ScalarPart = { readonly part: JsonObject; readonly lost: readonly string[] };

/** Only texts can be enumerated, except the empty one; of formats, only `date-time` is supported everywhere. */
function scalarPart({ enum: values, format, minimum, maximum }: JsonObject, type: unknown): ScalarPart {
  const listed: readonly unknown[] = Array.isArray(values) ? values : [];
  const isListed = listed.length > 0 && type === 'string' && listed.every(isWord);
  const isFormatted = type === 'string' && format !== undefined;
  return {
    part: {
      type,
      ...(isListed && { enum: listed }),
      ...(isFormatted && format === 'date-time' && { format }),
      ...bounds(type, minimum, maximum),
    },
    lost: [
      ...(isFormatted && format !== 'date-time' ? [`Format: ${String(format)}`] : []),
      ...(listed.length > 0 && !isListed ? [`One of: ${JSON.stringify(listed)}`] : []),
    ],
  };
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function bounds(type: unknown, minimum: unknown, maximum: unknown): JsonObject {
  const isNumber = type === 'number' || type === 'integer';
  return {
    ...(isNumber && minimum !== undefined && { minimum }),
    ...(isNumber && maximum !== undefined && { maximum }),
  };
}

/** The types of a part, as a list; for a part without a type, those that its keywords imply. Empty if it may be anything. */
function typesOf(own: JsonObject, type: unknown): readonly unknown[] {
  if (type !== undefined) {
    return [type].flat();
  }
  const has = (...keywords: readonly string[]) => keywords.some((keyword) => own[keyword] !== undefined);
  if (has('properties', 'required', 'additionalProperties')) {
    return ['object'];
  }
  if (has('items', 'prefixItems')) {
    return ['array'];
  }
  if (has('format')) {
    return ['string'];
  }
  return has('minimum', 'maximum') ? ['number'] : [];
}

/** A property with more alternatives accepts anything. */
const maxAlternatives = 20;

/**
 * Merges all alternatives into one object, because the Gemini API allows no choice next to other keywords of an object: an own property stays
 * unchanged, and a property that every alternative requires is required.
 */
function mergeAlternatives(own: JsonObject, alternatives: readonly JsonObject[]): JsonObject {
  const objects = alternatives.filter(({ type = 'object' }) => [type].flat().includes('object'));
  const names = new Set(objects.flatMap(({ properties }) => Object.keys(asObject(properties))));
  const merged = [...names].map((name) => [name, mergedProperty(name, objects)] as const);
  const properties = { ...Object.fromEntries(merged), ...asObject(own['properties']) };
  const [first, ...others] = objects.map(({ required }) => namesIn(required));
  const inAll = (first ?? []).filter((name) => others.every((list) => list.includes(name)));
  const required = [...new Set([...namesIn(own['required']), ...inAll])];
  const { anyOf: _, ...rest } = own;
  return {
    ...rest,
    type: 'object',
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function mergedProperty(name: string, objects: readonly JsonObject[]): JsonObject {
  const schemas = objects
    .map(({ properties }) => asObject(properties))
    .filter((properties) => Object.hasOwn(properties, name))
    .map((properties) => properties[name])
    .filter(isObject);
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const values = distinct.map(({ type, enum: values }) => (type === 'string' && Array.isArray(values) ? values : null));
  if (distinct.length > 1 && values.every((list) => list !== null)) {
    return { ...distinct[0], enum: [...new Set(values.flat())] };
  }
  const [only, ...others] = distinct;
  if (others.length === 0) {
    return only ?? {};
  }
  return distinct.length > maxAlternatives ? {} : { anyOf: distinct };
}

function namesIn(required: unknown): readonly unknown[] {
  return Array.isArray(required) ? required : [];
}

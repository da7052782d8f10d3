import { asObject, isObject, type JsonObject } from '../../gemini-schema/json-object.ts';

/** More alternatives than that for one property are anything. */
const maxAlternatives = 20;

/**
 * One object that has the properties of all alternatives, since the Gemini API takes no choice next to the rest of an object: an own
 * property stays as it is, and what every alternative requires is required.
 */
export function mergeAlternatives(own: JsonObject, alternatives: readonly JsonObject[]): JsonObject {
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

import type { JsonObject } from './json-object.ts';

/** The values that a schema lists by `enum` or `const`, as the API can have them: it lists texts and numbers alone. */
export function relaxValues(schema: JsonObject): JsonObject {
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

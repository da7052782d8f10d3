import type { JsonObject } from './json-object.ts';

/** What the API does not know, or takes within narrow limits only, and what a few words can say. */
const told = [
  ...['format', 'pattern', 'minLength', 'maxLength', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
];

const maxCharacters = 500;

/**
 * The description of a schema, with what the API does not hold the model to: there the model reads it. `kept` are keywords that are sent
 * as they are.
 */
export function describeLost(schema: JsonObject, kept: readonly string[]): { readonly description?: string } {
  const own = typeof schema['description'] === 'string' ? [schema['description']] : [];
  const lost = told.filter((keyword) => keyword in schema && !kept.includes(keyword));
  const json = JSON.stringify(Object.fromEntries(lost.map((keyword) => [keyword, schema[keyword]])));
  const rest = lost.length === 0 || json.length > maxCharacters ? [] : [`In JSON Schema also: ${json}`];
  const description = [...own, ...rest].join('\n');
  return description === '' ? {} : { description };
}

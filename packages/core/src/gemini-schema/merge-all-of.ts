import { resolveSchema } from './follow-reference.ts';
import { asObject, type JsonObject } from './json-object.ts';

/** The schema that a part belongs to, and how many more parts may be merged in it. */
export type WholeSchema = { readonly root: JsonObject; mergesLeft: number };

/**
 * One schema in the place of one with `allOf`, since the API has no `allOf`. It accepts all that the parts accept together, and more:
 * where two of them say something by the same keyword, the first one counts.
 */
export function mergeAllOf(schema: JsonObject, whole: WholeSchema, seen: Set<JsonObject> = new Set()): JsonObject {
  const { allOf, ...own } = schema;
  let merged: JsonObject = own;
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const resolved = resolveSchema(whole.root, part);
    // Each part once: parts that refer to each other would go on for ever, or double at each step.
    if (resolved !== null && !seen.has(resolved) && whole.mergesLeft > 0) {
      whole.mergesLeft -= 1;
      seen.add(resolved);
      merged = merge(merged, mergeAllOf(resolved, whole, seen));
    }
  }
  return merged;
}

function merge(first: JsonObject, second: JsonObject): JsonObject {
  // What they say of other properties, each says of those that it does not name itself.
  const { additionalProperties: _one, ...ofFirst } = first;
  const { additionalProperties: _other, prefixItems, items, ...ofSecond } = second;
  const hasItems = 'prefixItems' in first || 'items' in first;
  const properties = { ...asObject(second['properties']), ...asObject(first['properties']) };
  const required = [...namesIn(first['required']), ...namesIn(second['required'])];
  return {
    // Both are about the places that the other leaves over, so they come from one of the two.
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

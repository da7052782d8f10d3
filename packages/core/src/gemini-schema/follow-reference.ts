import { isObject, type JsonObject } from './json-object.ts';

/**
 * What a reference leads to, where it is a JSON Pointer into the schema itself; undefined for any other, and for one that leads to
 * nothing.
 */
export function followReference(root: JsonObject, reference: string): unknown {
  if (!/^#(?:\/|$)/.test(reference)) {
    return undefined;
  }
  return stepsOf(reference).reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined,
    root,
  );
}

/** The last name in a reference, by which people know what it leads to. */
export function nameIn(reference: string): string {
  return stepsOf(reference).at(-1) ?? 'root';
}

/** The object that a schema is, after all references; null where it is none, or where they go in a circle. */
export function resolveSchema(root: JsonObject, schema: unknown): JsonObject | null {
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

/** What the API sends, of which nothing is taken on trust. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value, or an empty object where it is none. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The objects among the first values of a list; none where it is no list. */
export function objectsIn(value: unknown, max: number): readonly JsonObject[] {
  return listOf(value, max).filter(isObject);
}

/** The first values of a list; none where it is no list. */
export function listOf(value: unknown, max: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : [];
}

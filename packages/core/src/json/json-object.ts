/** A JSON object of strangers, its members not looked at yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value, or an empty object where it is none. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

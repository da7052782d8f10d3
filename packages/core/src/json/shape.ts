/** Checks that a parsed JSON value has the shape of a type, so that no cast is needed. */
export type Shape<Value> = (value: unknown) => value is Value;

export const isText: Shape<string> = (value): value is string => typeof value === 'string';

export const isNumber: Shape<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value);

export const isBoolean: Shape<boolean> = (value): value is boolean => typeof value === 'boolean';

export const isTrue: Shape<true> = (value): value is true => value === true;

export const isRecord: Shape<Readonly<Record<string, unknown>>> = (value): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function nullable<Value>(shape: Shape<Value>): Shape<Value | null> {
  return (value): value is Value | null => value === null || shape(value);
}

export function listOf<Value>(shape: Shape<Value>): Shape<readonly Value[]> {
  return (value): value is readonly Value[] => Array.isArray(value) && value.every(shape);
}

export function oneOf<Value extends string>(...values: readonly Value[]): Shape<Value> {
  return (value): value is Value => values.some((one) => one === value);
}

/** An object with exactly these members. */
export function objectOf<Value extends object>(
  members: { readonly [Name in keyof Value]: Shape<Value[Name]> },
): Shape<Value> {
  const shapes = Object.entries<Shape<unknown>>(members);
  return (value): value is Value =>
    isRecord(value) &&
    Object.keys(value).length === shapes.length &&
    shapes.every(([name, shape]) => Object.hasOwn(value, name) && shape(value[name]));
}

/** The parsed value of a JSON text, or null if it is not JSON or has another shape. */
export function parseShape<Value>(shape: Shape<Value>, text: string): Value | null {
  try {
    const value: unknown = JSON.parse(text);
    return shape(value) ? value : null;
  } catch {
    return null;
  }
}
